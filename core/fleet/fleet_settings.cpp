// SPDX-License-Identifier: Apache-2.0
//
// New settings for a fleet that is in use.
#include "core/fleet/fleet_state.hpp"

namespace gantry::fleet {

void Fleet::change_settings(const FleetSettings& settings) {
  const std::lock_guard lock(state_->mutex);
  auto& held = state_->settings;
  held.claim_max_age = settings.claim_max_age;
  held.service_down_time = settings.service_down_time;
  if (settings.keeps_image_properties) state_->topics.add_image_properties_column();
  // Services between the two limits go down or come back.
  state_->move_clock(state_->clock);
  state_->next_heartbeat_event = state_->find_next_heartbeat_event();
  const bool same = held.default_availability_zone == settings.default_availability_zone &&
                    held.cpu_allocation_ratio == settings.cpu_allocation_ratio &&
                    held.ram_allocation_ratio == settings.ram_allocation_ratio &&
                    held.disk_allocation_ratio == settings.disk_allocation_ratio;
  if (same) return;
  held.default_availability_zone = settings.default_availability_zone;
  held.cpu_allocation_ratio = settings.cpu_allocation_ratio;
  held.ram_allocation_ratio = settings.ram_allocation_ratio;
  held.disk_allocation_ratio = settings.disk_allocation_ratio;
  for (const auto& [name, hosts] : state_->topics) hosts->show_settings();
}

}  // namespace gantry::fleet
