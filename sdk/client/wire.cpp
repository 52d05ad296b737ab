// SPDX-License-Identifier: Apache-2.0
#include "wire.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <optional>

namespace gantry::client_library {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Clock = std::chrono::steady_clock;
using Protocol = asio::generic::stream_protocol;
using Stream = beast::basic_stream<Protocol>;
using Parser = http::response_parser<http::string_body>;

constexpr std::uint64_t largest_answer = 1ULL << 30;

WireOutcome outcome_of_connect(const beast::error_code& error) {
  if (error == beast::error::timeout) return WireOutcome::timed_out;
  if (error == asio::error::access_denied || error == asio::error::no_permission) return WireOutcome::denied;
  if (error == boost::system::errc::not_a_socket || error == boost::system::errc::wrong_protocol_type ||
      error == boost::system::errc::not_a_directory) {
    return WireOutcome::denied;
  }
  return WireOutcome::absent;
}

WireOutcome outcome_of_read(const beast::error_code& error) {
  if (error == beast::error::timeout) return WireOutcome::timed_out;
  if (error == http::error::end_of_stream || error == http::error::partial_message) return WireOutcome::lost;
  if (error == asio::ssl::error::stream_truncated) return WireOutcome::lost;
  return error.category() == http::make_error_code(http::error::bad_version).category() ? WireOutcome::garbage
                                                                                        : WireOutcome::lost;
}

class BeastWire final : public Wire {
 public:
  BeastWire(Target target, std::string ca_file) : target_(std::move(target)), ca_file_(std::move(ca_file)) {}

  WireAnswer exchange(const WireRequest& request, Clock::time_point deadline) override {
    WireAnswer answer;
    answer.reused = stream_.has_value();
    if (!stream_ && !connect(deadline, answer)) return answer;
    answer.connected = true;
    stream_->expires_at(deadline);
    const beast::error_code sent = send(request);
    // A daemon that refuses a request may say why and stop reading before it has the whole of it.
    if (sent == beast::error::timeout) {
      disconnect();
      return fail(answer, WireOutcome::timed_out, sent);
    }
    stream_->expires_at(deadline);
    receive(answer);
    return answer;
  }

 private:
  static WireAnswer& fail(WireAnswer& answer, WireOutcome outcome, const beast::error_code& error) {
    answer.outcome = outcome;
    answer.reason = error.message();
    return answer;
  }

  std::vector<Protocol::endpoint> endpoints(beast::error_code& error) {
    if (target_.is_unix()) return {Protocol::endpoint(asio::local::stream_protocol::endpoint(target_.path))};
    asio::ip::tcp::resolver resolver(io_);
    std::vector<Protocol::endpoint> found;
    for (const auto& entry : resolver.resolve(target_.host, target_.port, error)) {
      found.emplace_back(entry.endpoint());
    }
    return found;
  }

  bool connect(Clock::time_point deadline, WireAnswer& answer) {
    beast::error_code error;
    const auto choices = endpoints(error);
    if (error) {
      fail(answer, WireOutcome::absent, error);
      return false;
    }
    for (const auto& endpoint : choices) {
      stream_.emplace(io_);
      stream_->expires_at(deadline);
      stream_->async_connect(endpoint, [&error](const beast::error_code& result) { error = result; });
      run();
      if (!error) {
        prepare_socket();
        if (!target_.is_secret || shake_hands(answer)) return true;
        disconnect();
        return false;
      }
      disconnect();
      fail(answer, outcome_of_connect(error), error);
    }
    return false;
  }

  bool shake_hands(WireAnswer& answer) {
    beast::error_code error;
    asio::ssl::context context(asio::ssl::context::tls_client);
    SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
    if (ca_file_.empty())
      context.set_default_verify_paths(error);
    else
      context.load_verify_file(ca_file_, error);
    if (error) {
      fail(answer, WireOutcome::untrusted, error);
      answer.reason = "the authorities in '" + ca_file_ + "' cannot be read: " + error.message();
      return false;
    }
    tls_.emplace(*stream_, context);
    tls_->set_verify_mode(asio::ssl::verify_peer);
    tls_->set_verify_callback(asio::ssl::host_name_verification(target_.host));
    asio::ip::make_address(target_.host, error);
    if (error) SSL_set_tlsext_host_name(tls_->native_handle(), target_.host.c_str());
    tls_->async_handshake(asio::ssl::stream_base::client,
                          [&error](const beast::error_code& result) { error = result; });
    run();
    if (!error) return true;
    fail(answer, error == beast::error::timeout ? WireOutcome::timed_out : WireOutcome::untrusted, error);
    if (const long verdict = SSL_get_verify_result(tls_->native_handle()); verdict != X509_V_OK)
      answer.reason = X509_verify_cert_error_string(verdict);
    return false;
  }

  void disconnect() {
    tls_.reset();
    stream_.reset();
  }

  // Does what `work` does with the stream that bytes go through.
  template <class Work>
  void through_stream(Work work) {
    if (tls_)
      work(*tls_);
    else
      work(*stream_);
    run();
  }

  void prepare_socket() {
    buffer_.clear();
    const int descriptor = stream_->socket().native_handle();
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    if (target_.is_unix()) return;
    const int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }

  beast::error_code send(const WireRequest& request) {
    const auto verb = request.is_document ? http::verb::get : http::verb::post;
    http::request<http::string_body> message(verb, request.path, 11);
    message.set(http::field::host, target_.is_unix() ? "localhost" : target_.host + ":" + target_.port);
    if (!request.is_document) message.set(http::field::content_type, "application/json");
    message.set(http::field::accept, "application/json");
    for (const auto& [name, value] : request.headers) message.set(name, value);
    message.body() = request.body;
    message.prepare_payload();
    beast::error_code error;
    through_stream([&](auto& stream) {
      http::async_write(stream, message, [&error](const beast::error_code& result, std::size_t) { error = result; });
    });
    return error;
  }

  void receive(WireAnswer& answer) {
    Parser parser;
    parser.body_limit(largest_answer);
    beast::error_code error;
    through_stream([&](auto& stream) {
      http::async_read(stream, buffer_, parser,
                       [&error](const beast::error_code& result, std::size_t) { error = result; });
    });
    if (error) {
      disconnect();
      fail(answer, outcome_of_read(error), error);
      return;
    }
    answer.outcome = WireOutcome::answered;
    answer.status = static_cast<int>(parser.get().result_int());
    const bool keep = parser.get().keep_alive() && buffer_.size() == 0;
    answer.body = std::move(parser.get().body());
    if (!keep) disconnect();
  }

  void run() {
    io_.restart();
    io_.run();
  }

  Target target_;
  std::string ca_file_;
  asio::io_context io_{1};
  std::optional<Stream> stream_;                   // there while it is connected
  std::optional<asio::ssl::stream<Stream&>> tls_;  // over stream_, of a https target
  beast::flat_buffer buffer_;
};

}  // namespace

std::unique_ptr<Wire> Wire::to(Target target, std::string ca_file) {
  return std::make_unique<BeastWire>(std::move(target), std::move(ca_file));
}

}  // namespace gantry::client_library
