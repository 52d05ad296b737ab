// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/settings.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "core/fleet/tables/schema.hpp"

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
  manager.profiles = settings.profiles;
  manager.profiles_required = settings.scheduling.profiles_required;
  manager.avoid_failing_hosts = settings.scheduling.avoid_failing_hosts;
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

namespace {

// 0 and 0.0 are one value.
bool are_equal(const config::OptionValue& a, const config::OptionValue& b) {
  const auto number = [](const config::OptionValue& value) -> std::optional<double> {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return std::nullopt;
  };
  const auto left = number(a);
  const auto right = number(b);
  return left && right ? *left == *right : a == b;
}

bool is_set(const drivers::OptionDeclaration& option, const std::string& driver, const config::Settings& settings) {
  const auto section = settings.drivers.find(driver);
  if (section == settings.drivers.end()) return false;
  const auto set = section->second.options.find(option.name);
  if (set == section->second.options.end()) return false;
  return !option.default_value || !are_equal(set->second.value, *option.default_value);
}

bool has_images(const std::vector<drivers::ColumnUse>& columns) {
  return std::ranges::any_of(columns, [](const auto& column) { return column.name == fleet::image_properties_column; });
}

}  // namespace

bool reads_image_properties(const drivers::Manifest& manifest, const config::Settings& settings) {
  if (has_images(manifest.needs) || has_images(manifest.uses)) return true;
  return std::ranges::any_of(manifest.options, [&](const auto& option) {
    return has_images(option.columns) && is_set(option, manifest.id, settings);
  });
}

Result<void> declare(fleet::Fleet& fleet, const drivers::Manifest& manifest, const config::Settings& settings) {
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
  if (reads_image_properties(manifest, settings)) fleet.keep_image_properties();
  return {};
}

}  // namespace gantry::scheduling
