// SPDX-License-Identifier: Apache-2.0
#include "core/nova/http/http_connection.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <utility>

namespace gantry::nova {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

namespace {

constexpr std::uint32_t header_limit = 64 * 1024;

http::request<http::string_body> as_message(const HttpRequest& request, const HttpAddress& address) {
  http::request<http::string_body> message;
  message.method_string(request.verb);
  message.target(address.path + request.target);
  message.version(11);
  message.set(http::field::host, address.host_header());
  message.set(http::field::user_agent, "gantry");
  message.set(http::field::accept, "application/json");
  for (const auto& [name, value] : request.headers) message.set(name, value);
  if (!request.body.empty()) message.set(http::field::content_type, "application/json");
  message.body() = request.body;
  message.prepare_payload();
  return message;
}

}  // namespace

HttpConnection::HttpConnection(const Strand& strand, HttpAddress address, std::shared_ptr<asio::ssl::context> tls,
                               std::size_t body_limit)
    : address_(std::move(address)), tls_(std::move(tls)), body_limit_(body_limit), resolver_(strand), strand_(strand) {
  if (address_.is_tls)
    secure_.emplace(strand, *tls_);
  else
    plain_.emplace(strand);
}

template <class Use>
void HttpConnection::with_stream(Use use) {
  if (secure_)
    use(*secure_);
  else
    use(*plain_);
}

beast::tcp_stream& HttpConnection::tcp() {
  return secure_ ? secure_->next_layer() : *plain_;
}

void HttpConnection::exchange(const HttpRequest& request, HttpDone done) {
  done_ = std::move(done);
  is_sent_ = false;
  has_heard_ = false;
  ++exchanges_;
  request_ = as_message(request, address_);
  if (is_open_) return write();
  resolver_.async_resolve(address_.host, address_.port,
                          [self = shared_from_this()](const Error& error, const Tcp::resolver::results_type& found) {
                            if (!self->done_) return;
                            if (error) return self->fail("the name " + self->address_.host + " is not known", error);
                            self->tcp().async_connect(found, [self](const Error& failed, const Tcp::endpoint&) {
                              if (!self->done_) return;
                              if (failed) return self->fail("no connection to " + self->address_.host_header(), failed);
                              self->connect();
                            });
                          });
}

void HttpConnection::connect() {
  Error error;
  tcp().socket().set_option(Tcp::no_delay(true), error);
  if (secure_) return shake_hands();
  is_open_ = true;
  write();
}

void HttpConnection::shake_hands() {
  SSL* const handle = secure_->native_handle();
  Error is_name;
  asio::ip::make_address(address_.host, is_name);
  if (is_name) SSL_set_tlsext_host_name(handle, address_.host.c_str());
  if (SSL_get_verify_mode(handle) != SSL_VERIFY_NONE)
    secure_->set_verify_callback(asio::ssl::host_name_verification(address_.host));
  secure_->async_handshake(asio::ssl::stream_base::client, [self = shared_from_this()](const Error& error) {
    if (!self->done_) return;
    if (error) {
      ERR_clear_error();
      return self->fail("no TLS with " + self->address_.host_header(), error);
    }
    self->is_open_ = true;
    self->write();
  });
}

void HttpConnection::write() {
  is_sent_ = true;
  with_stream([this](auto& stream) {
    http::async_write(stream, request_, [self = shared_from_this()](const Error& error, std::size_t) {
      if (!self->done_) return;
      if (error) return self->fail("the request was cut off", error);
      self->read();
    });
  });
}

void HttpConnection::read() {
  parser_.emplace();
  parser_->body_limit(body_limit_);
  parser_->header_limit(header_limit);
  with_stream([this](auto& stream) {
    http::async_read(stream, buffer_, *parser_, [self = shared_from_this()](const Error& error, std::size_t size) {
      if (!self->done_) return;
      self->has_heard_ = size > 0;
      // A body without a length ends with the connection, which some servers end without the words of TLS.
      if (error == asio::ssl::error::stream_truncated && self->parser_->got_some()) {
        Error end;
        self->parser_->put_eof(end);
        if (!end) return self->take_answer();
      }
      if (error == http::error::body_limit) return self->refuse_long_answer();
      if (error) return self->fail("no whole answer came", error);
      self->take_answer();
    });
  });
}

void HttpConnection::take_answer() {
  auto message = parser_->release();
  HttpOutcome outcome;
  outcome.kind = HttpOutcome::Kind::answered;
  outcome.status = message.result_int();
  for (const auto& field : message) outcome.headers.push_back({field.name_string(), field.value()});
  outcome.body = std::move(message.body());
  // A byte too much belongs to no answer.
  if (!message.keep_alive() || buffer_.size() > 0) {
    is_open_ = false;
    tcp().close();
  }
  idle_since_ = Clock::now();
  finish(std::move(outcome));
}

void HttpConnection::refuse_long_answer() {
  is_open_ = false;
  tcp().close();
  HttpOutcome outcome;
  outcome.kind = HttpOutcome::Kind::lost;
  outcome.reason = "the answer has more than " + std::to_string(body_limit_) + " bytes";
  outcome.is_too_long = true;
  finish(std::move(outcome));
}

void HttpConnection::fail(const std::string& what, const Error& error) {
  abort(what + ": " + error.message());
}

void HttpConnection::abort(const std::string& reason) {
  is_open_ = false;
  resolver_.cancel();
  tcp().close();
  if (!done_) return;
  HttpOutcome outcome;
  outcome.kind = is_sent_ ? HttpOutcome::Kind::lost : HttpOutcome::Kind::not_sent;
  outcome.reason = reason;
  finish(std::move(outcome));
}

void HttpConnection::finish(HttpOutcome outcome) {
  const HttpDone done = std::exchange(done_, nullptr);
  done(std::move(outcome));
}

bool HttpConnection::is_alive() {
  if (!is_open_) return false;
  char byte = 0;
  const auto size = recv(tcp().socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace gantry::nova
