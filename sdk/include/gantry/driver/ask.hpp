// SPDX-License-Identifier: Apache-2.0
//
// Answers of the policy services that an operator configures for a driver (ext/ask.h).
#pragma once

#include <gantry/driver.h>
#include <gantry/ext/ask.h>
#include <gantry/driver/call.hpp>

#include <cstdint>
#include <string_view>

namespace gantry {

// An answer, or why there is none.
struct policy_answer {
  code outcome = code::unsupported;  // ok: `body` is JSON. Otherwise `body` is a sentence
  std::int32_t status = 0;           // the HTTP status; 0: there was no answer
  std::string_view body = {};

  explicit operator bool() const noexcept { return outcome == code::ok; }
};

// The host's extension "gantry.ask/1". A host before 1.1 lacks the extension.
class policy_services {
 public:
  explicit policy_services(const host& host) noexcept
      : raw_(static_cast<const gantry_ask_services*>(host.extension(GANTRY_ASK_EXTENSION))) {}

  // Sends `json` to the service `name` and waits for the answer, in select_destinations, schedule_run_instance and
  // call_method. The answer is valid until the operation returns. Without an answer the driver may decide without it, or
  // return call.fail(answer.outcome, answer.body).
  policy_answer ask(call& call, std::string_view name, std::string_view json) const noexcept {
    if (raw_ == nullptr) return {code::unsupported, 0, "the host has no " GANTRY_ASK_EXTENSION};
    gantry_answer answer = {};
    answer.struct_size = sizeof(gantry_answer);
    const auto asked = static_cast<code>(raw_->ask(call.raw(), gantry::raw(name), gantry::raw(json), &answer));
    return {asked, answer.status, text(answer.body)};
  }

 private:
  const gantry_ask_services* raw_;
};

}  // namespace gantry
