// SPDX-License-Identifier: Apache-2.0
//
// What changes by the mere passing of time: heartbeats grow old, claims end.
#include <algorithm>
#include <limits>

#include "core/fleet/fleet_state.hpp"
#include "core/fleet/records/later_by.hpp"

namespace gantry::fleet {

void Fleet::State::advance(Nanoseconds now) {
  if (now >= clock && now < next_heartbeat_event && now < claims.next_end()) {
    clock = now;
    fresh_since = later_by(now, -settings.service_down_time);
    return;
  }
  move_clock(now);
  next_heartbeat_event = find_next_heartbeat_event();
  claims.expire(now);
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

Nanoseconds Fleet::State::find_next_heartbeat_event() const {
  const auto first = heartbeats.lower_bound({fresh_since, nullptr, nullptr});
  if (first == heartbeats.end()) return std::numeric_limits<Nanoseconds>::max();
  return later_by(later_by(std::get<0>(*first), settings.service_down_time), 1);
}

void Fleet::State::note_heartbeat(TopicHosts& topic, HostEntry& host, Nanoseconds last_seen_up) {
  if (last_seen_up == 0) return;
  heartbeats.emplace(last_seen_up, &host, &topic);
  if (last_seen_up < fresh_since) return;
  next_heartbeat_event =
      std::min(next_heartbeat_event, later_by(later_by(last_seen_up, settings.service_down_time), 1));
}

void Fleet::State::forget_heartbeat(TopicHosts& topic, HostEntry& host) {
  if (host.service != nullptr) heartbeats.erase({host.service->last_seen_up, &host, &topic});
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

}  // namespace gantry::fleet
