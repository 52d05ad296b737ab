// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/service_watch.hpp"

#include <algorithm>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

void ServiceWatch::begin(const fleet::Fleet& fleet, fleet::Nanoseconds now) {
  const std::lock_guard lock(mutex_);
  for (const auto& service : fleet.services_gone_down(0, now)) down_.emplace(service.topic, service.host);
  any_down_ = !down_.empty();
  looked_at_ = now;
}

std::vector<Event> ServiceWatch::look(const fleet::Fleet& fleet, fleet::Nanoseconds now) {
  std::vector<Event> events;
  for (const auto& service : fleet.services_gone_down(std::exchange(looked_at_, now), now)) {
    {
      const std::lock_guard lock(mutex_);
      if (!down_.emplace(service.topic, service.host).second) continue;
      any_down_ = true;
    }
    // A heartbeat that came meanwhile may not have seen the service in down_.
    const auto current = fleet.service(service.topic, service.host);
    if (!current || current->last_seen_up != service.last_seen_up) {
      forget(service.topic, service.host);
      continue;
    }
    Event event{"service.down", service.topic, service.host, {}};
    event.more = {{"last_seen_up", time_json(service.last_seen_up)}};
    events.push_back(std::move(event));
  }
  return events;
}

bool ServiceWatch::is_down(std::string_view topic, std::string_view host) const {
  if (!any_down_) return false;
  const std::lock_guard lock(mutex_);
  return down_.contains(std::pair<std::string, std::string>(topic, host));
}

bool ServiceWatch::forget(std::string_view topic, std::string_view host) {
  const std::lock_guard lock(mutex_);
  const bool was_down = down_.erase({std::string(topic), std::string(host)}) > 0;
  any_down_ = !down_.empty();
  return was_down;
}

}  // namespace gantry::scheduling
