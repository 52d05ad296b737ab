// SPDX-License-Identifier: Apache-2.0
//
// A request to an HTTP server, and what became of it.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::nova {

using Clock = std::chrono::steady_clock;

struct HttpHeader {
  std::string name;
  std::string value;
};

struct HttpRequest {
  std::string verb;    // "GET", "PUT", "POST" or "DELETE"
  std::string target;  // path and query: "/allocations/<uuid>"
  std::vector<HttpHeader> headers;
  std::string body;  // JSON. Empty: the request has none
};

struct HttpOutcome {
  enum class Kind {
    answered,  // a whole answer came
    not_sent,  // the request has not left: the server has done nothing
    lost,      // the request has left, at least a part, and no whole answer came: the server may have acted
  };

  Kind kind = Kind::not_sent;
  unsigned status = 0;              // the answer's
  std::vector<HttpHeader> headers;  // the answer's
  std::string body;                 // the answer's
  std::string reason;               // why there is no answer, for people
  bool is_too_long = false;         // the answer has more bytes than the client takes

  bool is_answered() const { return kind == Kind::answered; }
  // The value of the answer's header. Empty: the answer has none of that name.
  std::string_view header(std::string_view name) const;
};

using HttpDone = std::function<void(HttpOutcome)>;

}  // namespace gantry::nova
