// SPDX-License-Identifier: Apache-2.0
//
// Tokens of Keystone, by password. A token is renewed when two thirds of its life are over; the old one is used
// meanwhile.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "core/nova/http/http_client.hpp"
#include "core/nova/http/keystone_documents.hpp"
#include "core/nova/http/service_login.hpp"
#include "core/nova/http/timers.hpp"
#include "core/nova/http/waiters.hpp"

namespace gantry::nova {

struct KeystoneOptions {
  KeystoneUser user;
  KeystoneService service;
  std::chrono::milliseconds timeout{10000};       // the time for one question
  std::chrono::milliseconds retry_wait{1000};     // after a question without an answer, before the next
  std::chrono::milliseconds refusal_wait{10000};  // after a refusal: Keystone may lock a user after several
  HttpClientOptions http;
};

// [strand]
class KeystoneLogin final : public ServiceLogin {
 public:
  // `timers` must outlive this object.
  KeystoneLogin(const Strand& strand, Timers& timers, HttpAddress keystone, KeystoneOptions options);

  void access(Clock::time_point deadline, Done done) override;
  bool reject(const std::string& token) override;

 private:
  struct Held {
    ServiceAccess access;
    Clock::time_point renewal;
    Clock::time_point end;
  };

  void ask();
  void take(const HttpOutcome& outcome);
  Result<Held> read(const HttpOutcome& outcome) const;

  Timers& timers_;
  KeystoneOptions options_;
  std::optional<Held> held_;
  std::optional<Error> failure_;  // why the last question brought no token
  Clock::time_point asked_;
  Clock::time_point next_question_;  // not earlier, after a failure
  bool is_asking_ = false;
  Waiters<Result<ServiceAccess>> waiters_;
  HttpClient client_;  // last: its end calls back
};

}  // namespace gantry::nova
