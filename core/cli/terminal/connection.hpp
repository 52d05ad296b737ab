// SPDX-License-Identifier: Apache-2.0
//
// Calls methods of the daemon, through the client library or through a fake in tests.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::cli {

// How one call is to be made.
struct CallWishes {
  std::chrono::milliseconds timeout{30'000};
  json::object context;       // empty: no context is sent
  std::string request_id;     // empty: the call gets a new id
  bool awaits_daemon = true;  // false: a local daemon that has no socket is unavailable at once
};

// A connection to one daemon. Used by one thread at a time. ErrorCode::unavailable means that no daemon answered.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual Result<json::value> call(std::string_view method, const json::object& args, const CallWishes& wishes) = 0;
  // Fetches a JSON document that the daemon serves, such as /openapi.json.
  virtual Result<json::value> document(const std::string& path, const CallWishes& wishes) = 0;
  virtual std::string last_request_id() const = 0;  // of the last call, even if it failed
};

// The daemon's address and the files for access. An empty member means the client library's default.
struct Destination {
  std::string url;
  std::string token_file;
  std::string ca_file;
};

// Makes a connection. Fails if the url has an unknown form.
Result<std::unique_ptr<Connection>> connect(const Destination& destination);

// True if the same call may succeed later, so that a retry makes sense.
bool may_pass(ErrorCode code);

// The type of connect, for tests that pass a function of their own.
using Connect = std::function<Result<std::unique_ptr<Connection>>(const Destination&)>;

}  // namespace gantry::cli
