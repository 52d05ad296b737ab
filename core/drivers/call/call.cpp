// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/call/call.hpp"

#include <utility>

#include "core/drivers/call/call_state.hpp"

namespace gantry::drivers {

Call::Call(CallSettings settings) : state_(std::make_unique<State>(std::move(settings))) {}
Call::~Call() = default;

const CallSettings& Call::settings() const {
  return state_->settings;
}

void* Call::allocate(std::uint64_t size, std::uint64_t align) {
  return state_->arena.allocate(size, align);
}

gantry_code Call::failure_code() const {
  return state_->failure_code;
}

std::string_view Call::failure_sentence() const {
  return state_->failure_sentence;
}

gantry_call* Call::handle() {
  return reinterpret_cast<gantry_call*>(state_.get());
}

}  // namespace gantry::drivers
