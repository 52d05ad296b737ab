// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http_listener.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <utility>

#include "core/transport/sockets/tcp_socket.hpp"

namespace gantry::transport {

namespace {

boost::asio::generic::stream_protocol protocol_of(int family) {
  return {family, family == AF_UNIX ? 0 : IPPROTO_TCP};
}

}  // namespace

HttpListener::HttpListener(Descriptor descriptor, Kind kind, const HttpSessionContext& context,
                           const Endpoint& endpoint)
    : socket_(descriptor.number()),
      acceptor_(context.pools.new_strand(ClientClass::stranger), protocol_of(kind.family), descriptor.release()),
      retry_(acceptor_.get_executor()),
      context_(context),
      endpoint_(endpoint),
      kind_(std::move(kind)) {}

void HttpListener::start() {
  boost::asio::post(acceptor_.get_executor(), [self = shared_from_this()] { self->accept(); });
}

bool HttpListener::is_listening() const {
  int listens = 0;
  socklen_t size = sizeof listens;
  return getsockopt(socket_, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0;
}

std::future<void> HttpListener::stop() {
  auto done = std::make_shared<std::promise<void>>();
  auto future = done->get_future();
  boost::asio::post(acceptor_.get_executor(), [self = shared_from_this(), done] {
    self->stopping_ = done;
    StreamError ignored;
    self->acceptor_.cancel(ignored);
    self->retry_.cancel();
  });
  return future;
}

std::future<void> HttpListener::hold() {
  auto done = std::make_shared<std::promise<void>>();
  auto future = done->get_future();
  boost::asio::post(acceptor_.get_executor(), [self = shared_from_this(), done] {
    self->holding_ = done;
    StreamError ignored;
    self->acceptor_.cancel(ignored);
    self->retry_.cancel();
  });
  return future;
}

void HttpListener::release() {
  boost::asio::post(acceptor_.get_executor(), [self = shared_from_this()] {
    self->holding_.reset();
    self->accept();
  });
}

std::future<void> HttpListener::leave() {
  auto done = std::make_shared<std::promise<void>>();
  auto future = done->get_future();
  boost::asio::post(acceptor_.get_executor(), [self = shared_from_this(), done] {
    StreamError ignored;
    self->acceptor_.close(ignored);
    done->set_value();
  });
  return future;
}

void HttpListener::adopt(HandedConnection connection) {
  auto handed = std::make_shared<HandedConnection>(std::move(connection));
  boost::asio::post(acceptor_.get_executor(), [self = shared_from_this(), handed] {
    StreamSocket socket(self->new_strand());
    StreamError error;
    socket.assign(protocol_of(self->kind_.family), handed->descriptor.number(), error);
    if (error) return;
    handed->descriptor.release();
    self->begin_session(std::move(socket), &*handed);
  });
}

void HttpListener::accept() {
  acceptor_.async_accept(new_strand(), [self = shared_from_this()](StreamError error, StreamSocket socket) {
    self->on_accept(error, std::move(socket));
  });
}

// An accept that succeeded before it was cancelled still brings its connection, which is served.
void HttpListener::on_accept(StreamError error, StreamSocket socket) {
  if (!error) begin_session(std::move(socket));
  if (stopping_) return accept_rest();
  if (holding_) return holding_->set_value();
  if (!error || error == boost::asio::error::connection_aborted) return accept();
  // Most likely there is no descriptor left. Clients wait in the kernel's queue until there is one.
  context_.logger->write(telemetry::Level::warning,
                         "cannot accept a connection; raise LimitNOFILE if this goes on: " + error.message());
  retry_.expires_after(std::chrono::milliseconds(100));
  retry_.async_wait([self = shared_from_this()](StreamError) {
    if (self->stopping_) return self->accept_rest();
    if (self->holding_) return self->holding_->set_value();
    self->accept();
  });
}

void HttpListener::accept_rest() {
  StreamError error;
  acceptor_.non_blocking(true, error);
  while (!error) {
    StreamSocket socket(new_strand());
    acceptor_.accept(socket, error);
    if (!error) begin_session(std::move(socket));
  }
  acceptor_.close(error);
  stopping_->set_value();
}

std::unique_ptr<ByteStream> HttpListener::stream_over(StreamSocket socket) const {
  if (kind_.certificate) return ByteStream::tls(std::move(socket), *kind_.certificate->context());
  return ByteStream::plain(std::move(socket));
}

void HttpListener::begin_session(StreamSocket socket, const HandedConnection* handed) {
  fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
  auto seat = endpoint_.seats->seat(source_of(socket.native_handle()));
  const bool is_refused = seat == nullptr;
  if (seat && handed != nullptr) seat->prove();  // it may have shown a token to the other process
  BudgetLease place;
  if (is_refused) place = BudgetLease(endpoint_.refusals, 1);
  if (is_refused && !place) return;
  std::string peer = kind_.prepare(socket.native_handle());
  if (kind_.certificate) peer = "tls " + peer.substr(peer.find(' ') + 1);
  auto caller = kind_.roles == nullptr ? PeerCaller() : PeerCaller(*kind_.roles, identity_of(socket.native_handle()));
  auto connection = HttpSession::new_connection(stream_over(std::move(socket)), endpoint_, std::move(seat),
                                                std::move(peer), context_);
  connection.caller = std::move(caller);
  connection.place = std::move(place);
  if (handed != nullptr && !handed->input.empty()) connection.reader.append(handed->input);
  const auto session = std::make_shared<HttpSession>(std::move(connection), context_, ClientClass::stranger);
  if (!context_.connections->add(session)) return;
  if (is_refused)
    session->start_refusing();
  else
    session->start();
}

}  // namespace gantry::transport
