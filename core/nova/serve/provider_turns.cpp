// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/provider_turns.hpp"

#include <algorithm>
#include <utility>

namespace gantry::nova {

ProviderTurns::Turn::Turn(ProviderTurns* turns, std::set<std::string> providers)
    : turns_(turns), providers_(std::move(providers)) {}

ProviderTurns::Turn::Turn(Turn&& other) noexcept
    : turns_(std::exchange(other.turns_, nullptr)), providers_(std::move(other.providers_)) {}

ProviderTurns::Turn::~Turn() {
  if (turns_ == nullptr) return;
  {
    const std::lock_guard lock(turns_->mutex_);
    for (const auto& provider : providers_) turns_->held_.erase(provider);
  }
  turns_->freed_.notify_all();
}

ProviderTurns::Turn ProviderTurns::wait(std::set<std::string> providers, Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  const bool is_free = freed_.wait_until(lock, deadline, [&] {
    return std::ranges::none_of(providers, [this](const auto& provider) { return held_.contains(provider); });
  });
  if (!is_free) return {nullptr, {}};
  held_.insert(providers.begin(), providers.end());
  return {this, std::move(providers)};
}

}  // namespace gantry::nova
