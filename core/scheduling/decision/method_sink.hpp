// SPDX-License-Identifier: Apache-2.0
//
// What a driver's custom method leaves: an answer, claims of named resources, and casts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/drivers/call/driver_call.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/decision/decision.hpp"

namespace gantry::scheduling {

// What it has claimed it gives back at its end, unless it is told to keep it.
class MethodSink : public drivers::Sink {
 public:
  struct Message {
    std::string host;
    std::string node;
    std::string consumer;  // of the claim that waits for it; empty: none
    std::string method;
    json::object args;
  };

  // claims: without a place to put them (capabilities updates), nullptr.
  MethodSink(fleet::Fleet* fleet, const fleet::Moment& moment, const gantry_view* view, fleet::Nanoseconds now)
      : fleet_(fleet), moment_(moment), view_(view), now_(now) {}
  ~MethodSink() override;
  MethodSink(const MethodSink&) = delete;
  MethodSink& operator=(const MethodSink&) = delete;

  void explain(const gantry_step& step) override;
  gantry_code claim(const gantry_claim& claim) override;
  gantry_code reply(std::string_view json) override;
  gantry_code cast(const gantry_cast& cast) override;

  const std::optional<json::value>& answer() const { return answer_; }
  std::vector<fleet::Claim>& claims() { return claims_; }
  const std::vector<Message>& messages() const { return messages_; }
  const std::vector<Step>& steps() const { return steps_; }
  void keep() { kept_ = true; }

 private:
  fleet::Fleet* fleet_;
  const fleet::Moment& moment_;
  const gantry_view* view_;
  const fleet::Nanoseconds now_;
  std::optional<json::value> answer_;
  std::vector<fleet::Claim> claims_;
  bool kept_ = false;
  std::vector<Message> messages_;
  std::vector<Step> steps_;
};

}  // namespace gantry::scheduling
