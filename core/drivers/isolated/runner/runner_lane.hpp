// SPDX-License-Identifier: Apache-2.0
//
// The runner's side of a lane: the message that is being written, and the service's answers.
#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "core/drivers/isolated/call_input.hpp"
#include "core/drivers/isolated/lane.hpp"
#include "core/drivers/isolated/message.hpp"
#include "gantry/driver.h"

namespace gantry::drivers::isolated {

// For one thread.
class RunnerLane {
 public:
  explicit RunnerLane(const Lane& lane) : lane_(lane), to_(lane.message()) {}

  // Waits for the next call. The result and all that it points to hold until the call is over.
  const CallInput& await_call();
  // Writes a record that needs no answer. `write` gets the MessageWriter.
  template <class Write>
  void add(Record record, const Write& write) {
    constexpr std::uint64_t much = 256 << 10;
    if (to_.used() > much) ask(Record::flush, [](MessageWriter& /*to*/) {});
    const auto begin = to_.used();
    to_.number(record);
    write(to_);
    if (!to_.fits()) to_.shorten_to(begin);
  }
  // Sends the message, with a last record, and returns the answer, which holds until the next ask.
  template <class Write>
  const CallAnswer& ask(Record record, const Write& write) {
    const auto begin = to_.used();
    to_.number(record);
    write(to_);
    if (!to_.fits()) return refuse(begin);
    send();
    while (!lane_.wait_for(LaneTurn::runner, Lane::TimePoint::max())) {
    }
    const auto& answer = *reinterpret_cast<const CallAnswer*>(lane_.answer().data());
    if (answer.explanations != GANTRY_OK) explanations_ = answer.explanations;
    return answer;
  }
  // Sends the last message of the call.
  template <class Write>
  void end(Record record, const Write& write) {
    to_.number(record);
    write(to_);
    send();
  }
  // Returns the last failure of an explain_host in this call.
  gantry_code explanations() const { return explanations_; }

 private:
  const CallAnswer& refuse(std::uint64_t begin);
  void send();

  const Lane lane_;
  MessageWriter to_;
  gantry_code explanations_ = GANTRY_OK;
  CallAnswer too_large_{GANTRY_RESOURCE_EXHAUSTED, GANTRY_OK, nullptr, 0, {}};
};

}  // namespace gantry::drivers::isolated
