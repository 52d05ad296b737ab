// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/connection.hpp"

#include <openssl/err.h>
#include <boost/asio/connect.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <utility>

#include "core/transport/sockets/tcp_socket.hpp"

namespace gantry::amqp {

namespace {

using transport::StreamError;
// How long the last bytes may take to be written.
constexpr std::chrono::seconds goodbye_time{1};

using Protocol = boost::asio::generic::stream_protocol;

std::vector<Protocol::endpoint> generic(const boost::asio::ip::basic_resolver_results<boost::asio::ip::tcp>& found) {
  std::vector<Protocol::endpoint> endpoints;
  for (const auto& entry : found) endpoints.emplace_back(entry.endpoint());
  return endpoints;
}

}  // namespace

std::shared_ptr<Connection> Connection::make(const transport::Strand& strand, ConnectionSettings settings,
                                             DialogueEvents events) {
  return std::shared_ptr<Connection>(new Connection(strand, std::move(settings), std::move(events)));
}

Connection::Connection(const transport::Strand& strand, ConnectionSettings settings, DialogueEvents events)
    : settings_(std::move(settings)),
      strand_(strand),
      resolver_(strand),
      timer_(strand),
      dialogue_(settings_.login, settings_.limits, with_own(std::move(events)),
                [this](const std::string& bytes) { write(bytes); }) {}

DialogueEvents Connection::with_own(DialogueEvents events) {
  DialogueEvents own = std::move(events);
  own.on_open = [this, on_open = std::move(own.on_open)] {
    arm_heartbeat();
    if (on_open) on_open();
  };
  own.on_closed = [this, on_closed = std::move(own.on_closed)](Result<void> reason) {
    end();
    if (!reason) reason = std::move(reason).error().within(name());
    // Not inside of the call that noticed the end: the owner may begin a new connection at once.
    boost::asio::post(strand_, [self = shared_from_this(), on_closed, reason = std::move(reason)] {
      if (on_closed) on_closed(reason);
    });
  };
  return own;
}

std::string address_of(const ConnectionSettings& settings) {
  const bool is_ipv6 = settings.host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + settings.host + "]" : settings.host) + ":" + std::to_string(settings.port);
}

std::string Connection::name() const {
  return "broker " + address_of(settings_);
}

void Connection::start() {
  arm_patience("the connection did not come about in time");
  const auto self = shared_from_this();
  resolver_.async_resolve(settings_.host, std::to_string(settings_.port),
                          [self](const StreamError& error, const Endpoints& endpoints) {
                            if (self->dialogue_.has_ended()) return;
                            if (error) return self->fail("the host was not found", error);
                            self->on_resolved(endpoints);
                          });
}

void Connection::on_resolved(const Endpoints& endpoints) {
  socket_.emplace(strand_);
  boost::asio::async_connect(*socket_, generic(endpoints),
                             [self = shared_from_this()](const StreamError& error, const Protocol::endpoint&) {
                               if (self->dialogue_.has_ended()) return;
                               if (error) return self->fail("cannot connect", error);
                               self->on_connected();
                             });
}

void Connection::on_connected() {
  transport::prepare_tcp(socket_->native_handle());
  if (settings_.tls) {
    stream_ = settings_.tls->stream_to(settings_.host, *std::move(socket_));
  } else {
    stream_ = transport::ByteStream::plain(*std::move(socket_));
  }
  socket_.reset();
  if (!stream_) return fail("the host has no name that TLS could use");
  stream_->handshake([self = shared_from_this()](const StreamError& error, std::size_t) {
    if (self->dialogue_.has_ended()) return;
    if (error) return self->fail("TLS failed", error);
    self->last_read_ = self->last_write_ = Clock::now();
    self->dialogue_.start();
    self->read();
  });
}

void Connection::read() {
  if (dialogue_.has_ended()) return;
  stream_->read_some(boost::asio::buffer(input_),
                     [self = shared_from_this()](const StreamError& error, std::size_t size) {
                       if (self->dialogue_.has_ended()) return;
                       if (error) return self->fail("the connection was lost", error);
                       self->on_read(size);
                     });
}

void Connection::on_read(std::size_t size) {
  last_read_ = Clock::now();
  dialogue_.receive({input_.data(), size});
  read();
}

void Connection::write(const std::string& bytes) {
  if (!stream_) return;
  pending_ += bytes;
  if (!is_writing_) write_pending();
}

void Connection::write_pending() {
  if (written_ == writing_.size()) {
    writing_ = std::exchange(pending_, {});
    written_ = 0;
  }
  is_writing_ = !writing_.empty();
  if (!is_writing_) return;
  const auto rest = boost::asio::buffer(writing_) + written_;
  stream_->write_some({rest}, [self = shared_from_this()](const StreamError& error, std::size_t size) {
    self->last_write_ = Clock::now();
    self->written_ += size;
    // The last words go out even if the dialogue has ended.
    if (!error && (!self->dialogue_.has_ended() || self->written_ < self->writing_.size() || !self->pending_.empty()))
      return self->write_pending();
    self->is_writing_ = false;
    if (self->dialogue_.has_ended()) return self->end();
    self->fail("the connection was lost", error);
  });
}

void Connection::fail(const std::string& what, const StreamError& error) {
  const std::string reason = error == boost::asio::error::eof ? "the broker ended it" : error.message();
  ERR_clear_error();
  fail(what + ": " + reason);
}

void Connection::fail(const std::string& what) {
  dialogue_.abandon(Error{ErrorCode::unavailable, what, ""});
}

void Connection::arm_patience(const std::string& what) {
  timer_.expires_after(settings_.patience);
  timer_.async_wait([self = shared_from_this(), what](const StreamError& error) {
    if (!error && !self->dialogue_.has_ended()) self->fail(what);
  });
}

void Connection::arm_heartbeat() {
  const std::chrono::milliseconds interval = std::chrono::seconds(dialogue_.heartbeat());
  timer_.cancel();
  if (interval.count() == 0) return;
  timer_.expires_after(interval / 4);
  timer_.async_wait([self = shared_from_this()](const StreamError& error) {
    if (!error && self->dialogue_.is_open()) self->on_heartbeat_tick();
  });
}

void Connection::on_heartbeat_tick() {
  const auto now = Clock::now();
  const auto interval = std::chrono::seconds(dialogue_.heartbeat());
  if (now - last_read_ >= 2 * interval)
    return fail("the broker has been silent for two heartbeats, " + std::to_string(2 * dialogue_.heartbeat()) + " s");
  if (now - last_write_ >= interval / 2 && !is_writing_) dialogue_.send_heartbeat();
  arm_heartbeat();
}

std::shared_ptr<Channel> Connection::open_channel(std::function<void(const Error&)> on_closed) {
  return dialogue_.open_channel(std::move(on_closed));
}

void Connection::close() {
  if (dialogue_.has_ended()) return;
  if (dialogue_.is_open()) arm_patience("the broker did not answer the goodbye in time");
  dialogue_.close();
}

// Called when the dialogue has ended, and again when the last bytes are written.
void Connection::end() {
  timer_.cancel();
  resolver_.cancel();
  StreamError ignored;
  if (socket_) socket_->close(ignored);
  if (!stream_) return;
  if (!is_writing_) return stream_->close();
  timer_.expires_after(goodbye_time);
  timer_.async_wait([self = shared_from_this()](const StreamError& error) {
    if (!error) self->stream_->close();
  });
}

}  // namespace gantry::amqp
