// SPDX-License-Identifier: Apache-2.0
//
// One connection to a server, plain or over TLS: one request at a time.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <memory>
#include <optional>
#include <string>

#include "core/nova/http/http_address.hpp"
#include "core/nova/http/http_outcome.hpp"
#include "core/nova/http/timers.hpp"

namespace gantry::nova {

// [strand]
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  // `tls` may be null for an address without TLS.
  HttpConnection(const Strand& strand, HttpAddress address, std::shared_ptr<boost::asio::ssl::context> tls,
                 std::size_t body_limit);

  // Connects first if the connection is not open. Calls `done` once, later, unless abort() does.
  void exchange(const HttpRequest& request, HttpDone done);
  // Ends the exchange under way now, with the reason, and the connection.
  void abort(const std::string& reason);

  // The connection is open, and the server has not ended it. A byte without a request counts as an end.
  bool is_alive();
  bool was_used() const { return exchanges_ > 1; }
  // An answer, or a part of it, has come in the last exchange.
  bool has_heard() const { return has_heard_; }
  Clock::time_point idle_since() const { return idle_since_; }

 private:
  using Error = boost::system::error_code;
  using Tcp = boost::asio::ip::tcp;

  template <class Use>
  void with_stream(Use use);
  boost::beast::tcp_stream& tcp();
  void connect();
  void shake_hands();
  void write();
  void read();
  void take_answer();
  void refuse_long_answer();
  void fail(const std::string& what, const Error& error);
  void finish(HttpOutcome outcome);

  HttpAddress address_;
  std::shared_ptr<boost::asio::ssl::context> tls_;
  std::size_t body_limit_;
  Tcp::resolver resolver_;
  Strand strand_;
  std::optional<boost::beast::tcp_stream> plain_;
  std::optional<boost::beast::ssl_stream<boost::beast::tcp_stream>> secure_;
  boost::beast::flat_buffer buffer_;
  boost::beast::http::request<boost::beast::http::string_body> request_;
  std::optional<boost::beast::http::response_parser<boost::beast::http::string_body>> parser_;
  HttpDone done_;
  bool is_open_ = false;
  bool is_sent_ = false;
  bool has_heard_ = false;
  std::size_t exchanges_ = 0;
  Clock::time_point idle_since_;
};

}  // namespace gantry::nova
