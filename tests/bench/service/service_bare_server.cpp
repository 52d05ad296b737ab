// SPDX-License-Identifier: Apache-2.0
#include "service_bare_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace gantry::bench {

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using Protocol = asio::local::stream_protocol;
using Socket = asio::basic_stream_socket<Protocol, asio::io_context::executor_type>;

// One operation at a time, so it needs no strand.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Socket socket, const std::string& answer) : socket_(std::move(socket)), answer_(answer) {}

  void read() {
    parser_.emplace();
    parser_->body_limit(8 << 20);
    http::async_read(socket_, buffer_, *parser_,
                     [self = shared_from_this()](boost::beast::error_code error, std::size_t) {
                       if (!error) self->answer();
                     });
  }

 private:
  void answer() {
    const auto& request = parser_->get();
    response_ = {};
    response_.version(request.version());
    response_.keep_alive(request.keep_alive());
    response_.set(http::field::content_type, "application/json");
    response_.result(is_json(request.body()) ? http::status::ok : http::status::bad_request);
    response_.body() = answer_;
    response_.prepare_payload();
    http::async_write(socket_, response_, [self = shared_from_this()](boost::beast::error_code error, std::size_t) {
      if (!error) self->read();
    });
  }

  static bool is_json(std::string_view text) {
    std::array<unsigned char, 16 * 1024> memory;
    boost::json::monotonic_resource resource(memory.data(), memory.size());
    boost::json::parse_options options;
    options.max_depth = 56;
    boost::json::error_code error;
    const auto value = boost::json::parse({text.data(), text.size()}, error, &resource, options);
    return !error && value.is_object();
  }

  Socket socket_;
  const std::string& answer_;
  boost::beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
};

void accept(asio::basic_socket_acceptor<Protocol, asio::io_context::executor_type>& acceptor,
            const std::string& answer) {
  acceptor.async_accept([&acceptor, &answer](boost::system::error_code error, Socket socket) {
    if (error) return;
    std::make_shared<Session>(std::move(socket), answer)->read();
    accept(acceptor, answer);
  });
}

}  // namespace

int run_bare_server(const std::string& socket, std::size_t answer_bytes, unsigned workers) {
  const std::string answer = "\"" + std::string(answer_bytes > 2 ? answer_bytes - 2 : 0, 'x') + "\"";
  asio::io_context io(static_cast<int>(workers));
  asio::basic_socket_acceptor<Protocol, asio::io_context::executor_type> acceptor(io, Protocol::endpoint(socket));
  accept(acceptor, answer);
  asio::signal_set signals(io, SIGTERM);
  signals.async_wait([&io](boost::system::error_code, int) { io.stop(); });
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < workers; ++i) threads.emplace_back([&io] { io.run(); });
  io.run();
  for (auto& thread : threads) thread.join();
  return 0;
}

}  // namespace gantry::bench
