// SPDX-License-Identifier: Apache-2.0
//
// Calls through the client library, with their answers told apart: yes, no, and none at all.
#pragma once

#include <atomic>
#include <gantry/client.hpp>
#include <string>

#include "core/encoding/json.hpp"

namespace gantry::reliability {

// What all connections of a run count. [any thread]
struct CallCounts {
  std::atomic<std::uint64_t> acknowledged{0};
  std::atomic<std::uint64_t> unanswered{0};
  std::atomic<std::uint64_t> sent_again{0};
};

struct Answer {
  bool ok = false;
  bool silent = false;  // the caller gave up: the call may have taken effect or not
  json::value result;
  std::string code;
  std::string message;
};

// Used by one thread.
class Connection {
 public:
  Connection(const std::string& url, CallCounts& counts) : client_(url), counts_(counts) {}

  Answer ask(const std::string& method, const json::object& args = {}, int timeout_ms = 20'000,
             const std::string& key = {});

 private:
  gantry::client::client client_;
  CallCounts& counts_;
};

// Returns the text of a member. Empty if the object has no such text.
std::string text_of(const json::object& object, std::string_view key);

}  // namespace gantry::reliability
