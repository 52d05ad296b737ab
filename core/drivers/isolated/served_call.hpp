// SPDX-License-Identifier: Apache-2.0
//
// The service's side of a call that runs in a runner: reads the runner's messages, uses the host services for it, and
// answers. The runner is not trusted: each number is checked, and nothing is read twice from memory that it can change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/drivers/call/driver_call.hpp"
#include "core/drivers/call/host_services.hpp"
#include "core/drivers/isolated/call_input.hpp"
#include "core/drivers/isolated/lane.hpp"
#include "core/drivers/isolated/message.hpp"
#include "gantry/driver.h"

namespace gantry::drivers::isolated {

// For the thread of the call.
class ServedCall {
 public:
  enum class Next : std::uint8_t {
    answered,  // the runner has to go on
    over,      // the operation has returned code()
    broken,    // the message makes no sense
  };

  // `bytes_out`: where the operation's bitmap or counts go, of the size that the operation has.
  ServedCall(const gantry_host& host, gantry_call* call, const Lane& lane, std::span<std::byte> bytes_out)
      : host_(host), services_(HostServices::of(&host)), call_(call), lane_(lane), bytes_out_(bytes_out) {}

  // Reads and answers the message that is in the lane. Does not give the turn to the runner.
  Next serve();
  gantry_code code() const { return code_; }
  const std::string& fault() const { return fault_; }  // why a message makes no sense

 private:
  Next serve(Record record, MessageReader& from, InputWriter& to, CallAnswer& answer);
  Next fail(std::string fault);
  void take_done(MessageReader& from);
  void take_pick(Record record, MessageReader& from, CallAnswer& answer);
  void take_claim(MessageReader& from, CallAnswer& answer);
  void take_cast(MessageReader& from, CallAnswer& answer);
  void take_explanation(MessageReader& from, CallAnswer& answer);
  void take_step(MessageReader& from);
  void take_log(MessageReader& from);
  void find_column(MessageReader& from, CallAnswer& answer);
  void locate(MessageReader& from, InputWriter& to, CallAnswer& answer);
  void ask(MessageReader& from, InputWriter& to, CallAnswer& answer);
  void find_changes(MessageReader& from, InputWriter& to, CallAnswer& answer);
  const gantry_view* shown_view(MessageReader& from);
  std::vector<gantry_claim_item> items(MessageReader& from);
  std::vector<std::uint32_t> numbers(MessageReader& from);

  const gantry_host& host_;
  const HostServices& services_;
  gantry_call* call_;
  const Lane lane_;
  std::span<std::byte> bytes_out_;
  gantry_code code_ = GANTRY_INTERNAL;
  gantry_code explanations_ = GANTRY_OK;
  bool is_over_ = false;
  std::string fault_;
};

}  // namespace gantry::drivers::isolated
