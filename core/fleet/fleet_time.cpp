// SPDX-License-Identifier: Apache-2.0
//
// The changes that the passing of time alone makes: heartbeats grow old, claims end.
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
    const auto& [heard_at, host, hosts] = *at;
    hosts->show_up(*host);
  }
}

Nanoseconds Fleet::State::find_next_heartbeat_event() const {
  const auto first = heartbeats.lower_bound({fresh_since, nullptr, nullptr});
  if (first == heartbeats.end()) return std::numeric_limits<Nanoseconds>::max();
  return later_by(later_by(std::get<0>(*first), settings.service_down_time), 1);
}

void Fleet::State::note_heartbeat(TopicHosts& topic, HostEntry& host) {
  if (host.heard_at == 0) return;
  heartbeats.emplace(host.heard_at, &host, &topic);
  if (host.heard_at < fresh_since) return;
  next_heartbeat_event =
      std::min(next_heartbeat_event, later_by(later_by(host.heard_at, settings.service_down_time), 1));
}

void Fleet::State::forget_heartbeat(TopicHosts& topic, HostEntry& host) {
  heartbeats.erase({host.heard_at, &host, &topic});
}

std::size_t Fleet::begin(Nanoseconds stopped_at, Nanoseconds now) {
  const std::lock_guard lock(state_->mutex);
  auto& state = *state_;
  state.begun_at = now;
  const auto fresh = later_by(stopped_at, -state.settings.service_down_time);
  const std::vector moved(state.heartbeats.lower_bound({std::min(fresh, now), nullptr, nullptr}),
                          state.heartbeats.end());
  std::size_t believed = 0;
  for (const auto& [heard_at, host, hosts] : moved) {
    const bool was_up = heard_at >= fresh;
    if (was_up) ++believed;
    state.forget_heartbeat(*hosts, *host);
    // The clock may have been set back since: a service that was down then stays as old as it was.
    host->heard_at = was_up ? now : later_by(now, heard_at - stopped_at);
    state.note_heartbeat(*hosts, *host);
    hosts->show_up(*host);
  }
  state.claims.begin(now);
  return believed;
}

void Fleet::distrust_reports_before(Nanoseconds since) {
  const std::lock_guard lock(state_->mutex);
  state_->facts_since = since;
  for (const auto& [name, hosts] : state_->topics) {
    hosts->each([&hosts = hosts](const HostEntry& host) { hosts->show_up(host); });
  }
}

std::size_t Fleet::unheard(Nanoseconds now) const {
  const std::lock_guard lock(state_->mutex);
  const auto& state = *state_;
  if (state.begun_at == 0 || later_by(state.begun_at, state.settings.service_down_time) < now) return 0;
  const auto first = state.heartbeats.lower_bound({state.begun_at, nullptr, nullptr});
  const auto end = state.heartbeats.lower_bound({later_by(state.begun_at, 1), nullptr, nullptr});
  return static_cast<std::size_t>(std::distance(first, end));
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
