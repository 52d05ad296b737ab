// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/call/driver_call.hpp"

#include <utility>

#include "core/drivers/call/call_state.hpp"

namespace gantry::drivers {

DriverCall::DriverCall(DriverCallSettings settings) : state_(std::make_unique<State>(std::move(settings))) {}
DriverCall::~DriverCall() = default;

const DriverCallSettings& DriverCall::settings() const {
  return state_->settings;
}

void DriverCall::offer(const gantry_candidates* candidates) {
  state_->candidates = candidates;
}

void* DriverCall::allocate(std::uint64_t size, std::uint64_t align) {
  return state_->arena.allocate(size, align);
}

gantry_code DriverCall::failure_code() const {
  return state_->failure_code;
}

std::string_view DriverCall::failure_sentence() const {
  return state_->failure_sentence;
}

std::string_view DriverCall::misuse() const {
  const auto* sink = state_->settings.sink;
  return state_->misuse.empty() && sink != nullptr ? sink->misuse() : state_->misuse;
}

gantry_call* DriverCall::handle() {
  return reinterpret_cast<gantry_call*>(state_.get());
}

}  // namespace gantry::drivers
