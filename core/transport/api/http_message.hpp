// SPDX-License-Identifier: Apache-2.0
//
// An HTTP request and its answer as plain values: what the routes see, whatever library read the bytes.
#pragma once

#include <string>

namespace gantry::transport {

struct HttpRequest {
  std::string verb;             // "POST"
  std::string target;           // "/v1/hosts_up?topic=compute"
  std::string content_type;     // empty: none
  std::string request_id;       // X-Request-Id, else X-Openstack-Request-Id, as it came
  std::string idempotency_key;  // empty: none
  std::string timeout_ms;       // X-Timeout-Ms as it came; empty: none
  std::string body;
  std::string peer;         // for the log: "unix uid=1000 pid=4711"
  bool has_length = false;  // Content-Length or chunked
};

struct HttpAnswer {
  unsigned status = 200;
  std::string body;           // JSON
  std::string request_id;     // echoed as both request id headers
  std::string allow;          // 405: the verbs of that path
  bool retry_later = false;   // 503: adds Retry-After
  bool close = false;         // what follows on this connection cannot be told from the refused request's body
  bool without_body = false;  // to a HEAD: only its length is said
};

}  // namespace gantry::transport
