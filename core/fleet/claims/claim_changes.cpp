// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/claims/claim_changes.hpp"

#include <cassert>
#include <mutex>
#include <utility>

#include "core/fleet/claims/claims.hpp"

namespace gantry::fleet {

ClaimChanges::ClaimChanges(ClaimChanges&& other) noexcept
    : claims_(std::exchange(other.claims_, nullptr)), steps_(std::exchange(other.steps_, {})) {}

ClaimChanges& ClaimChanges::operator=(ClaimChanges&& other) noexcept {
  if (this == &other) return *this;
  roll_back();
  claims_ = std::exchange(other.claims_, nullptr);
  steps_ = std::exchange(other.steps_, {});
  return *this;
}

void ClaimChanges::add(Claims& claims, ClaimStep step) {
  assert(claims_ == nullptr || claims_ == &claims);
  claims_ = &claims;
  steps_.push_back(std::move(step));
}

template <class Move>
void ClaimChanges::finish(const Move& move) {
  const auto steps = std::exchange(steps_, {});
  if (steps.empty()) return;
  const std::lock_guard lock(claims_->fleet_lock());
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) move(*step);
}

void ClaimChanges::commit() {
  finish([this](const ClaimStep& step) { claims_->commit(step); });
}

void ClaimChanges::roll_back() {
  finish([this](const ClaimStep& step) { claims_->roll_back(step); });
}

void ClaimChanges::retry_later() {
  finish([this](const ClaimStep& step) { claims_->retry_later(step); });
}

}  // namespace gantry::fleet
