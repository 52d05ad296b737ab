// SPDX-License-Identifier: Apache-2.0
//
// A client of one HTTP server. Keeps connections open for further requests.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <cstddef>
#include <memory>

#include "core/nova/http/http_address.hpp"
#include "core/nova/http/http_outcome.hpp"
#include "core/nova/http/timers.hpp"

namespace gantry::nova {

struct HttpClientOptions {
  std::size_t connections = 8;                 // at a time; further requests wait
  std::size_t body_limit = 64U * 1024 * 1024;  // the most bytes of an answer's body
  std::chrono::milliseconds idle_limit{4000};  // shorter than the 5 s after which Apache ends an idle connection
  std::shared_ptr<boost::asio::ssl::context> tls = {};  // for https; null: no request goes to https
};

// [strand]
class HttpClient {
 public:
  HttpClient(const Strand& strand, HttpAddress address, HttpClientOptions options);
  // Ends the requests under way as not sent or lost. Their callbacks run before the destructor returns.
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Calls `done` once, later, at the deadline at the latest. A GET on a connection that the server has meanwhile ended
  // is sent once more on a new one.
  void send(HttpRequest request, Clock::time_point deadline, HttpDone done);

  const HttpAddress& address() const;

 private:
  class Pool;
  std::shared_ptr<Pool> pool_;
};

}  // namespace gantry::nova
