// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http_listener.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>

#include "core/transport/session/http_session.hpp"

namespace gantry::transport {

namespace {

using Protocol = boost::asio::generic::stream_protocol;
using Socket = boost::asio::basic_stream_socket<Protocol, LaneStrand>;
using TlsStream = boost::asio::ssl::stream<Socket>;
using ErrorCodeOf = boost::system::error_code;

// Beyond the most connections, so many are told so; the rest is closed without a word.
constexpr std::uint32_t most_refusals_at_once = 64;

class BeastHttpListener final : public HttpListener, public std::enable_shared_from_this<BeastHttpListener> {
 public:
  BeastHttpListener(Descriptor descriptor, Way way, const HttpSessionContext& context, Door& door)
      : acceptor_(LaneStrand(*context.lanes), Protocol(way.family, way.family == AF_UNIX ? 0 : IPPROTO_TCP),
                  descriptor.release()),
        retry_(acceptor_.get_executor()),
        context_(context),
        door_(door),
        way_(std::move(way)) {}

  void begin() {
    boost::asio::post(acceptor_.get_executor(), [self = shared_from_this()] { self->accept(); });
  }

  std::future<void> stop() override {
    auto done = std::make_shared<std::promise<void>>();
    auto future = done->get_future();
    boost::asio::post(acceptor_.get_executor(), [self = shared_from_this(), done] {
      self->stopping_ = done;
      ErrorCodeOf ignored;
      self->acceptor_.cancel(ignored);
      self->retry_.cancel();
    });
    return future;
  }

 private:
  LaneStrand new_strand() const { return LaneStrand(*context_.lanes); }

  void accept() {
    acceptor_.async_accept(new_strand(), [self = shared_from_this()](ErrorCodeOf error, Socket socket) {
      self->on_accept(error, std::move(socket));
    });
  }

  // An accept that had succeeded before it was cancelled still brings its socket: nobody who got in is dropped.
  void on_accept(ErrorCodeOf error, Socket socket) {
    if (!error) begin_session(std::move(socket));
    if (stopping_) return end();
    if (!error || error == boost::asio::error::connection_aborted) return accept();
    // Out of descriptors, most likely: those that wait stay in the queue until some are free.
    context_.logger->write(telemetry::Level::warning,
                           "cannot accept a connection; raise LimitNOFILE if this goes on: " + error.message());
    retry_.expires_after(std::chrono::milliseconds(100));
    retry_.async_wait([self = shared_from_this()](ErrorCodeOf) {
      if (self->stopping_) return self->end();
      self->accept();
    });
  }

  void end() {
    ErrorCodeOf error;
    acceptor_.non_blocking(true, error);
    while (!error) {
      Socket socket(new_strand());
      acceptor_.accept(socket, error);
      if (!error) begin_session(std::move(socket));
    }
    acceptor_.close(error);
    stopping_->set_value();
  }

  void begin_session(Socket socket) {
    fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
    const auto open = door_.connections.load(std::memory_order_relaxed);
    if (open >= door_.most_connections + most_refusals_at_once) return;
    std::string peer = way_.peer_of(socket.native_handle());
    const bool refused = open >= door_.most_connections;
    if (way_.secret) {
      const auto tls = way_.secret->context();
      add(std::make_shared<HttpSession<TlsStream>>(TlsStream(std::move(socket), *tls), context_, door_,
                                                   "tls " + peer.substr(peer.find(' ') + 1)),
          refused);
    } else {
      add(std::make_shared<HttpSession<Socket>>(std::move(socket), context_, door_, std::move(peer)), refused);
    }
  }

  template <class Session>
  void add(const std::shared_ptr<Session>& session, bool refused) {
    if (!context_.connections->add(session)) return;
    if (refused)
      session->start_refusing();
    else
      session->start();
  }

  boost::asio::basic_socket_acceptor<Protocol, LaneStrand> acceptor_;
  boost::asio::steady_timer retry_;
  const HttpSessionContext& context_;
  Door& door_;
  Way way_;
  std::shared_ptr<std::promise<void>> stopping_;
};

}  // namespace

std::shared_ptr<HttpListener> HttpListener::start(Descriptor descriptor, Way way, const HttpSessionContext& context,
                                                  Door& door) {
  auto listener = std::make_shared<BeastHttpListener>(std::move(descriptor), std::move(way), context, door);
  listener->begin();
  return listener;
}

}  // namespace gantry::transport
