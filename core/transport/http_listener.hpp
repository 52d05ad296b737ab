// SPDX-License-Identifier: Apache-2.0
//
// Accepts connections of one kind and starts a session on each, every one on a strand of its own.
#pragma once

#include <fcntl.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <future>

#include "core/transport/http_session.hpp"

namespace gantry::transport {

using HttpStrand = boost::asio::strand<boost::asio::io_context::executor_type>;

template <class Protocol>
class HttpListener : public std::enable_shared_from_this<HttpListener<Protocol>> {
 public:
  using Socket = boost::asio::basic_stream_socket<Protocol, HttpStrand>;
  using PeerOf = std::string (*)(int descriptor);

  // Takes `descriptor`, which listens already.
  HttpListener(boost::asio::io_context& io, const Protocol& protocol, int descriptor, const HttpSessionContext& context,
               PeerOf peer_of)
      : io_(io),
        acceptor_(HttpStrand(io.get_executor()), protocol, descriptor),
        retry_(acceptor_.get_executor()),
        context_(context),
        peer_of_(peer_of) {}

  void start() {
    boost::asio::post(acceptor_.get_executor(), [self = this->shared_from_this()] { self->accept(); });
  }

  // Takes what is connected already, then no more. The future is ready when that is done. Once only. [any thread]
  std::future<void> stop() {
    auto done = std::make_shared<std::promise<void>>();
    auto future = done->get_future();
    boost::asio::post(acceptor_.get_executor(), [self = this->shared_from_this(), done] {
      self->stopping_ = done;
      ErrorCodeOf ignored;
      self->acceptor_.cancel(ignored);
      self->retry_.cancel();
    });
    return future;
  }

 private:
  using ErrorCodeOf = boost::system::error_code;

  void accept() {
    acceptor_.async_accept(HttpStrand(io_.get_executor()),
                           [self = this->shared_from_this()](ErrorCodeOf error, Socket socket) {
                             self->on_accept(error, std::move(socket));
                           });
  }

  // An accept that had succeeded before it was cancelled still brings its socket: nobody who got in is dropped.
  void on_accept(ErrorCodeOf error, Socket socket) {
    if (!error) begin(std::move(socket));
    if (stopping_) return end();
    if (!error || error == boost::asio::error::connection_aborted) return accept();
    // Out of descriptors, most likely: those that wait stay in the queue until some are free.
    context_.logger->write(telemetry::Level::warning,
                           "cannot accept a connection; raise LimitNOFILE if this goes on: " + error.message());
    retry_.expires_after(std::chrono::milliseconds(100));
    retry_.async_wait([self = this->shared_from_this()](ErrorCodeOf) {
      if (self->stopping_) return self->end();
      self->accept();
    });
  }

  void end() {
    ErrorCodeOf error;
    acceptor_.non_blocking(true, error);
    while (!error) {
      Socket socket(HttpStrand(io_.get_executor()));
      acceptor_.accept(socket, error);
      if (!error) begin(std::move(socket));
    }
    acceptor_.close(error);
    stopping_->set_value();
  }

  void begin(Socket socket) {
    fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
    std::string peer = peer_of_(socket.native_handle());
    auto session = std::make_shared<HttpSession<Socket>>(std::move(socket), context_, std::move(peer));
    if (context_.connections->add(session)) session->start();
  }

  boost::asio::io_context& io_;
  boost::asio::basic_socket_acceptor<Protocol, HttpStrand> acceptor_;
  boost::asio::steady_timer retry_;
  const HttpSessionContext& context_;
  PeerOf peer_of_;
  std::shared_ptr<std::promise<void>> stopping_;
};

}  // namespace gantry::transport
