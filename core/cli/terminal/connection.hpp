// SPDX-License-Identifier: Apache-2.0
//
// The way to the daemon: a method, its arguments, and what came back. Over the client library, or a stand-in in tests.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::cli {

struct CallWishes {
  std::chrono::milliseconds timeout{30'000};
  json::object context;    // empty: none is sent
  std::string request_id;  // empty: made up
};

// Used by one thread at a time. "No daemon answered" is ErrorCode::unavailable.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual Result<json::value> call(std::string_view method, const json::object& args, const CallWishes& wishes) = 0;
  // The page of that path, such as /openapi.json.
  virtual Result<json::value> document(const std::string& path, const CallWishes& wishes) = 0;
  virtual std::string last_request_id() const = 0;  // of the last call, failed ones included
};

// Where the daemon is and what to show it; what is empty has the client library's default.
struct Destination {
  std::string url;
  std::string token_file;
  std::string ca_file;
};

// An error if the url is of no known form.
Result<std::unique_ptr<Connection>> connect(const Destination& destination);

// Whether the next try may go better.
bool may_pass(ErrorCode code);

using Connect = std::function<Result<std::unique_ptr<Connection>>(const Destination&)>;

}  // namespace gantry::cli
