// SPDX-License-Identifier: Apache-2.0
//
// What changes by the mere passing of time: heartbeats grow old, claims end.
#include <algorithm>
#include <limits>

#include "core/fleet/fleet_state.hpp"

namespace gantry::fleet {

Nanoseconds later_by(Nanoseconds time, Nanoseconds by) {
  Nanoseconds sum = 0;
  if (!__builtin_add_overflow(time, by, &sum)) return sum;
  return by < 0 ? std::numeric_limits<Nanoseconds>::min() : std::numeric_limits<Nanoseconds>::max();
}

void Fleet::State::advance(Nanoseconds now) {
  if (now >= clock && now < next_event) {
    clock = now;
    fresh_since = later_by(now, -settings.service_down_time);
    return;
  }
  move_clock(now);
  end_old_claims(now, ended_unseen);
  next_event = next_heartbeat_event();
  if (!aging.empty()) {
    next_event = std::min(next_event, later_by(later_by(std::get<0>(*aging.begin()), settings.claim_max_age), 1));
  }
}

void Fleet::State::move_clock(Nanoseconds now) {
  const auto before = fresh_since;
  clock = now;
  fresh_since = later_by(now, -settings.service_down_time);
  // Those between the two limits changed sides; time may also go back, as calls take theirs before they wait for us.
  auto at = heartbeats.lower_bound({std::min(before, fresh_since), nullptr, nullptr});
  const auto end = heartbeats.lower_bound({std::max(before, fresh_since), nullptr, nullptr});
  for (; at != end; ++at) {
    const auto& [last_seen_up, host, hosts] = *at;
    hosts->show_up(*host);
  }
}

Nanoseconds Fleet::State::next_heartbeat_event() const {
  const auto first = heartbeats.lower_bound({fresh_since, nullptr, nullptr});
  if (first == heartbeats.end()) return std::numeric_limits<Nanoseconds>::max();
  return later_by(later_by(std::get<0>(*first), settings.service_down_time), 1);
}

void Fleet::State::note_heartbeat(TopicHosts& topic, HostEntry& host, Nanoseconds last_seen_up) {
  if (last_seen_up == 0) return;
  heartbeats.emplace(last_seen_up, &host, &topic);
  if (last_seen_up < fresh_since) return;
  next_event = std::min(next_event, later_by(later_by(last_seen_up, settings.service_down_time), 1));
}

void Fleet::State::forget_heartbeat(TopicHosts& topic, HostEntry& host) {
  if (host.service != nullptr) heartbeats.erase({host.service->last_seen_up, &host, &topic});
}

void Fleet::State::end_old_claims(Nanoseconds now, std::vector<Claim>& ended) {
  while (!aging.empty()) {
    const auto [created_at, sequence, record] = *aging.begin();
    if (later_by(created_at, settings.claim_max_age) >= now) return;
    ended.push_back(remove_claim(*record));
  }
}

void Fleet::State::age(ClaimRecord& record) {
  if (record.claim.cast_waits) return;
  aging.emplace(record.claim.created_at, record.sequence, &record);
  next_event = std::min(next_event, later_by(later_by(record.claim.created_at, settings.claim_max_age), 1));
}

std::vector<Service> Fleet::services_gone_down(Nanoseconds before, Nanoseconds now) const {
  std::vector<Service> gone;
  const std::lock_guard lock(state_->mutex);
  const auto down_time = state_->settings.service_down_time;
  const auto first = before == 0 ? std::numeric_limits<Nanoseconds>::min() : later_by(before, -down_time);
  auto at = state_->heartbeats.lower_bound({first, nullptr, nullptr});
  const auto end = state_->heartbeats.lower_bound({later_by(now, -down_time), nullptr, nullptr});
  for (; at != end && std::get<0>(*at) < later_by(now, -down_time); ++at) {
    const auto* host = std::get<1>(*at);
    if (host->service != nullptr) gone.push_back(*host->service);
  }
  return gone;
}

std::vector<Claim> Fleet::expire_claims(Nanoseconds now) {
  const std::lock_guard lock(state_->mutex);
  auto ended = std::exchange(state_->ended_unseen, {});
  state_->end_old_claims(now, ended);
  return ended;
}

void Fleet::still_stored(const std::vector<Claim>& ended) {
  const std::lock_guard lock(state_->mutex);
  for (const auto& claim : ended) {
    const auto* standing = state_->find_claim(claim.consumer, claim.topic, claim.host, claim.node);
    if (standing == nullptr || standing->claim.consumer != claim.consumer) state_->ended_unseen.push_back(claim);
  }
}

std::vector<Claim> Fleet::cast_acknowledged(std::string_view consumer, Nanoseconds now, std::vector<Claim>* before) {
  const std::lock_guard lock(state_->mutex);
  std::vector<Claim> changed;
  const auto found = state_->claims.find(consumer_key(consumer));
  if (found == state_->claims.end()) return changed;
  const auto acknowledge = [&](Claim& claim) {
    if (before != nullptr) before->push_back(claim);
    claim.cast_waits = false;
    claim.created_at = now;
  };
  for (const auto& record : found->second) {
    for (auto& replaced : record->beneath) {
      if (replaced.cast_waits) acknowledge(replaced);
    }
    if (!record->claim.cast_waits || record->claim.ending) continue;
    acknowledge(record->claim);
    state_->age(*record);
    changed.push_back(record->claim);
  }
  return changed;
}

}  // namespace gantry::fleet
