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
    set_clock(now);
    return;
  }
  move_clock(now);
  next_heartbeat_event = find_next_heartbeat_event();
  claims.expire(now);
}

void Fleet::State::set_clock(Nanoseconds now) {
  clock = now;
  fresh = {later_by(now, -settings.service_down_time), later_by(now, settings.service_down_time)};
}

void Fleet::State::move_clock(Nanoseconds now) {
  const auto before = fresh;
  set_clock(now);
  // Heartbeats between an old and a new limit changed sides; time may also go back, as calls take theirs before they wait
  // for us.
  const auto show_between = [this](Nanoseconds one, Nanoseconds other) {
    auto at = heartbeats.lower_bound({std::min(one, other), nullptr, nullptr});
    const auto end = heartbeats.lower_bound({later_by(std::max(one, other), 1), nullptr, nullptr});
    for (; at != end; ++at) {
      const auto& [heard_at, host, hosts] = *at;
      hosts->show_up(*host);
    }
  };
  show_between(before.since, fresh.since);
  show_between(before.until, fresh.until);
}

Nanoseconds Fleet::State::find_next_heartbeat_event() const {
  constexpr auto never = std::numeric_limits<Nanoseconds>::max();
  const auto first = heartbeats.lower_bound({fresh.since, nullptr, nullptr});
  const auto ahead = heartbeats.lower_bound({later_by(fresh.until, 1), nullptr, nullptr});
  return std::min(first == heartbeats.end() ? never : end_of_heartbeat(std::get<0>(*first)),
                  ahead == heartbeats.end() ? never : later_by(std::get<0>(*ahead), -settings.service_down_time));
}

Nanoseconds Fleet::State::end_of_heartbeat(Nanoseconds heard_at) const {
  return later_by(later_by(heard_at, settings.service_down_time), 1);
}

void Fleet::State::note_heartbeat(TopicHosts& topic, HostEntry& host) {
  if (host.heard_at == 0) return;
  heartbeats.emplace(host.heard_at, &host, &topic);
  if (host.heard_at < fresh.since) return;
  next_heartbeat_event =
      std::min(next_heartbeat_event, host.heard_at > fresh.until ? later_by(host.heard_at, -settings.service_down_time)
                                                                 : end_of_heartbeat(host.heard_at));
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

std::vector<ClockAhead> Fleet::clocks_ahead(Nanoseconds now, Nanoseconds tolerance) const {
  std::vector<ClockAhead> found;
  const std::lock_guard lock(state_->mutex);
  auto at = state_->heartbeats.lower_bound({later_by(later_by(now, tolerance), 1), nullptr, nullptr});
  for (; at != state_->heartbeats.end(); ++at) {
    const auto& [heard_at, host, hosts] = *at;
    if (host->service != nullptr) found.push_back({hosts->topic(), host->host, heard_at - now});
  }
  return found;
}

}  // namespace gantry::fleet
