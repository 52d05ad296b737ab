// SPDX-License-Identifier: Apache-2.0
//
// Accepts the connections of one listening socket, unix or TCP, and starts a session on each. Runs in the thread pool
// for strangers (thread_pools.hpp).
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <future>
#include <memory>
#include <string>

#include "core/transport/session/http_session.hpp"
#include "core/transport/sockets/handed_sockets.hpp"
#include "core/transport/sockets/peer_caller.hpp"
#include "core/transport/sockets/tls.hpp"
#include "core/transport/sockets/unix_socket.hpp"

namespace gantry::transport {

class HttpListener : public std::enable_shared_from_this<HttpListener> {
 public:
  // The properties of the listening socket and of its connections.
  struct Kind {
    int family;                                         // AF_UNIX, AF_INET or AF_INET6
    std::string (*prepare)(int descriptor);             // sets a new connection's options, returns its peer for the log
    std::shared_ptr<const TlsCertificate> certificate;  // nullptr: without TLS
    const RolesInForce* roles = nullptr;                // nullptr: connections have no caller of their own
  };

  // `descriptor` listens already. `context` and `endpoint` outlive the listener and its sessions.
  HttpListener(Descriptor descriptor, Kind kind, const HttpSessionContext& context, const Endpoint& endpoint);

  // Begins to accept connections. Call this once. [any thread]
  void start();
  // Returns whether the listening socket still is one. Other code in the process may have closed it. [any thread]
  bool is_listening() const;
  // Accepts no more connections until release(). Further connections wait in the kernel's queue. The future is ready when
  // no accept is under way. [any thread]
  std::future<void> hold();
  void release();
  // Closes the listening socket after hold(). Connections that wait are another process's. [any thread]
  std::future<void> leave();
  // Serves a connection that another process has accepted. [any thread]
  void adopt(HandedConnection connection);
  bool is_tls() const { return kind_.certificate != nullptr; }
  int family() const { return kind_.family; }
  int socket() const { return socket_; }
  // Accepts the connections that are waiting in the kernel's queue, then no more. The future is ready when the
  // listening socket is closed. Call this once. [any thread]
  std::future<void> stop();

 private:
  using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol, Strand>;

  Strand new_strand() const { return context_.pools.new_strand(ClientClass::stranger); }
  void accept();
  void on_accept(StreamError error, StreamSocket socket);
  void accept_rest();
  std::unique_ptr<ByteStream> stream_over(StreamSocket socket) const;
  void begin_session(StreamSocket socket, const HandedConnection* handed = nullptr);

  const int socket_;
  Acceptor acceptor_;
  boost::asio::steady_timer retry_;
  const HttpSessionContext& context_;
  const Endpoint& endpoint_;
  const Kind kind_;
  std::shared_ptr<std::promise<void>> stopping_;
  std::shared_ptr<std::promise<void>> holding_;
};

}  // namespace gantry::transport
