// SPDX-License-Identifier: Apache-2.0
//
// The sink for a driver's custom method: collects the method's answer, its claims of named resources, and its casts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/drivers/call/driver_call.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/decision/pick_sink.hpp"

namespace gantry::scheduling {

// When the sink is destroyed, the claims that the caller has not confirmed are given back.
class MethodSink : public drivers::Sink {
 public:
  // A cast that the driver made, before it has an id.
  struct Message {
    std::string host;
    std::string node;
    std::string consumer;  // the consumer whose claims wait for this cast; empty: no claim waits
    std::string method;
    json::object args;
  };

  // `fleet` is nullptr if the driver may not claim. `view` is nullptr if it may neither claim nor cast.
  // update_service_capabilities passes nullptr for both.
  MethodSink(fleet::Fleet* fleet, const fleet::Moment& moment, const gantry_view* view, fleet::Nanoseconds now)
      : fleet_(fleet), moment_(moment), view_(view), now_(now) {}
  MethodSink(const MethodSink&) = delete;
  MethodSink& operator=(const MethodSink&) = delete;

  void explain(const gantry_step& step) override;
  gantry_code claim(const gantry_claim& claim) override;
  gantry_code reply(std::string_view json) override;
  gantry_code cast(const gantry_cast& cast) override;

  // nullopt if the driver gave no answer.
  const std::optional<json::value>& answer() const { return answer_; }
  std::vector<fleet::ClaimTicket>& tickets() { return tickets_; }
  const std::vector<Message>& messages() const { return messages_; }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  fleet::Fleet* fleet_;
  const fleet::Moment& moment_;
  const gantry_view* view_;
  const fleet::Nanoseconds now_;
  std::optional<json::value> answer_;
  std::vector<fleet::ClaimTicket> tickets_;
  std::vector<Message> messages_;
  std::vector<Step> steps_;
};

}  // namespace gantry::scheduling
