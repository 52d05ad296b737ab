// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/settings.hpp"

#include <chrono>
#include <filesystem>

namespace gantry::scheduling {

fleet::FleetSettings fleet_settings(const config::Settings& settings) {
  const auto nanoseconds = [](std::chrono::milliseconds time) { return std::chrono::nanoseconds(time).count(); };
  fleet::FleetSettings fleet;
  fleet.service_down_time = nanoseconds(settings.scheduling.service_down_time);
  fleet.clock_steps = clock_steps;
  fleet.claim_max_age = nanoseconds(settings.scheduling.claim_max_age);
  fleet.default_availability_zone = settings.scheduling.default_availability_zone;
  fleet.cpu_allocation_ratio = settings.scheduling.cpu_allocation_ratio;
  fleet.ram_allocation_ratio = settings.scheduling.ram_allocation_ratio;
  fleet.disk_allocation_ratio = settings.scheduling.disk_allocation_ratio;
  return fleet;
}

ManagerSettings manager_settings(const config::Settings& settings) {
  ManagerSettings manager;
  manager.call_timeout = settings.scheduling.call_timeout;
  manager.log_full_requests = settings.log.requests == "full";
  manager.max_attempts = settings.scheduling.max_attempts;
  return manager;
}

std::optional<DecisionLogSettings> decision_log_settings(const config::Settings& settings,
                                                         std::shared_ptr<telemetry::Logger> logger) {
  const auto& decisions = settings.decisions;
  if (decisions.keep == 0) return std::nullopt;
  DecisionLogSettings log;
  log.archive.directory = decisions.directory.empty()
                              ? (std::filesystem::path(settings.store.path).parent_path() / "decisions").string()
                              : decisions.directory;
  log.archive.most_decisions = decisions.keep;
  log.archive.most_age = std::chrono::duration_cast<std::chrono::hours>(decisions.max_age);
  log.archive.most_fact_bytes = decisions.facts_bytes;
  log.archive.logger = std::move(logger);
  log.run = now_nanoseconds();
  return log;
}

Result<void> declare(fleet::Fleet& fleet, const drivers::Manifest& manifest) {
  constexpr std::string_view claims = "claims.";
  for (const auto& topic : manifest.topics) fleet.declare_topic(topic);
  for (const auto* list : {&manifest.needs, &manifest.uses}) {
    for (const auto& column : *list) {
      if (column.type != 0) {
        if (auto declared = fleet.declare_column({column.name, column.type, manifest.id}); !declared) return declared;
      } else if (std::string_view(column.name).starts_with(claims)) {
        fleet.declare_claims_resource(std::string_view(column.name).substr(claims.size()));
      }
    }
  }
  return {};
}

}  // namespace gantry::scheduling
