// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/housekeeping.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <utility>

#include "core/scheduling/state/claim_storing.hpp"

namespace gantry::scheduling {

void Housekeeping::begin() {
  thread_ = std::thread([this] { run(); });
}

void Housekeeping::end() {
  if (thread_.joinable()) thread_.join();
  store_heartbeats();
}

void Housekeeping::run() {
  using Clock = std::chrono::steady_clock;
  const auto& settings = state_.parts.settings;
  auto next_heartbeats = Clock::now() + settings.heartbeats;
  while (calls_.sleep(std::min(settings.housekeeping, settings.heartbeats))) {
    sweep();
    if (Clock::now() >= next_heartbeats) {
      store_heartbeats();
      next_heartbeats = Clock::now() + settings.heartbeats;
    }
    if (auto gone = state_.watch.look(state_.parts.fleet, steady_nanoseconds()); !gone.empty())
      tell(state_, std::move(gone), {});
    state_.health.log_changes(state_);
    probe_store();
  }
}

void Housekeeping::sweep() {
  const auto now = steady_nanoseconds();
  store::Batch batch;
  // In order with the transactions that store new claims under the same keys.
  const std::lock_guard changes_lock(state_.changes);
  const auto claims = std::make_shared<fleet::ClaimChanges>();
  state_.parts.fleet.sweep_claims(now, *claims);
  store_claims(*claims, batch);
  auto forgotten = answers_.expire(now);
  for (const auto& key : forgotten) batch.push_back(erased(store::Kind::idempotency, key));
  if (batch.empty()) return;
  state_.parts.store.submit(
      std::move(batch),
      [claims](const Result<void>& stored) {
        if (stored) claims->commit();
      },
      [this, claims, forgotten = std::move(forgotten)] {
        claims->roll_back();
        answers_.still_stored(forgotten);
      });
}

// In portions, so that calls which change something wait for one portion at most.
void Housekeeping::store_heartbeats() {
  constexpr std::size_t portion = 1000;
  std::unique_lock changes_lock(state_.changes);
  for (auto left = state_.heartbeats.waiting(); left > 0; left -= std::min(left, portion)) {
    auto taken = state_.heartbeats.take(portion);
    store::Batch batch;
    batch.reserve(taken.size());
    for (const auto& [key, document] : taken) batch.push_back({store::Kind::heartbeat, key, document});
    state_.parts.store.submit_behind(
        std::move(batch), [](const Result<void>& /*stored*/) {},
        [this, taken = std::move(taken)] { state_.heartbeats.put_back(taken); });
    changes_lock.unlock();
    changes_lock.lock();
  }
}

// A store that refused changes is ready again at its next commit. No commit might come, as callers go elsewhere
// meanwhile.
void Housekeeping::probe_store() {
  if (!state_.parts.store.fault()) return;
  store::Batch nothing;
  nothing.push_back(erased(store::Kind::idempotency, "probe"));
  state_.parts.store.submit(std::move(nothing), nullptr);
}

}  // namespace gantry::scheduling
