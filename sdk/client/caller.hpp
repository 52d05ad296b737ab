// SPDX-License-Identifier: Apache-2.0
//
// Sends one call until its deadline: builds the request, retries, and reads the answer.
#pragma once

#include <chrono>
#include <memory>
#include <random>
#include <string>

#include "credentials.hpp"
#include "wire.hpp"

namespace gantry::client_library {

struct CallWishes {
  std::chrono::milliseconds timeout{30'000};
  std::string context;          // JSON object; empty: none
  std::string request_id;       // empty: generated
  std::string idempotency_key;  // empty: generated
};

// The content of a gantry_reply.
struct Outcome {
  bool ok = false;
  std::string result;
  std::string code;
  std::string message;
  std::string details;
  std::string request_id;
  int http_status = 0;
  int attempts = 0;
};

// [one thread at a time]
class Caller {
 public:
  // absent_wait: the time to wait for a daemon that has never answered.
  Caller(const Target& target, Credentials credentials, std::string user_agent, std::chrono::milliseconds absent_wait);

  Outcome call(const std::string& method, const std::string& args, const CallWishes& wishes);
  // Reads a document such as /openapi.json by GET. The result is its whole body.
  Outcome document(const std::string& path, const CallWishes& wishes);

 private:
  using Clock = std::chrono::steady_clock;

  Outcome repeat(WireRequest request, Clock::time_point deadline, std::chrono::milliseconds timeout);
  Outcome explain(const WireAnswer& answer, std::chrono::milliseconds timeout) const;
  bool pause(int attempt, Clock::time_point until);
  static Outcome read(const WireAnswer& answer, const std::string& where);
  static Outcome read_document(const WireAnswer& answer, const std::string& where);

  std::string where_;
  bool is_unix_;
  std::string path_;
  Credentials credentials_;
  std::string user_agent_;
  std::chrono::milliseconds absent_wait_;
  bool has_connected_ = false;
  std::mt19937 jitter_;
  std::unique_ptr<Wire> wire_;
};

Outcome failure(std::string code, std::string message);

}  // namespace gantry::client_library
