// SPDX-License-Identifier: Apache-2.0
//
// An HTTP request and its answer as plain values, independent of the library that reads the bytes.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace gantry::transport {

// The value of an answer's header Connection. none: the answer has no such header.
enum class ConnectionToken { none, keep_alive, close };

struct HttpRequest {
  std::string verb;              // "POST"
  std::string target;            // "/v1/hosts_up?topic=compute"
  std::string content_type;      // empty: no such header
  std::string content_encoding;  // empty: no such header
  std::string request_id;        // X-Request-Id, else X-Openstack-Request-Id; not checked
  std::string idempotency_key;   // empty: no such header
  std::string timeout_ms;        // X-Timeout-Ms, not checked; empty: no such header
  std::string if_none_match;     // empty: no such header
  std::string body;
  std::string peer;                                    // for the log: "unix uid=1000 pid=4711"
  std::chrono::steady_clock::time_point arrived{};     // when the last byte was read. The deadline counts from then
  bool has_length = false;                             // the request has a Content-Length or a chunked body
  ConnectionToken connection = ConnectionToken::none;  // of the answer. close: this is the client's last request
};

// An answer is for its caller alone, and of the type that it says.
inline constexpr std::string_view private_headers = "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n";

struct HttpAnswer {
  unsigned status = 200;
  std::string body;
  std::string_view content_type = "application/json";
  std::string_view headers = private_headers;  // further header lines, each with its line end
  std::string request_id;                      // sent as X-Request-Id and as X-Openstack-Request-Id
  std::string allow;                           // for 405: the verbs of the path
  bool retry_later = false;                    // for 503: adds Retry-After
  bool close = false;         // the connection must end: it is unknown where the client's next request begins
  bool without_body = false;  // for HEAD: the length of the body is sent, the body is not
};

}  // namespace gantry::transport
