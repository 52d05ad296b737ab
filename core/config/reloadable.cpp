// SPDX-License-Identifier: Apache-2.0
#include "core/config/reloadable.hpp"

#include <algorithm>
#include <array>

#include "core/config/keys.hpp"

namespace gantry::config {

namespace {

// Every other key of a section needs a restart.
constexpr auto reloadable_keys = std::to_array<std::string_view>({
    "log.level",
    "log.requests",
    "scheduling.avoid_failing_hosts",
    "scheduling.call_timeout",
    "scheduling.claim_max_age",
    "scheduling.cpu_allocation_ratio",
    "scheduling.default_availability_zone",
    "scheduling.disk_allocation_ratio",
    "scheduling.max_attempts",
    "scheduling.profiles_required",
    "scheduling.ram_allocation_ratio",
    "scheduling.service_down_time",
    "server.require_tokens",
    "server.socket_roles",
    "server.tls_certificate",
    "server.tls_key",
});

constexpr std::string_view driver_prefix = "driver.";

bool is_option_of_driver(std::string_view key) {
  const auto name = key.substr(key.find('.', driver_prefix.size()) + 1);
  return std::ranges::none_of(driver_keys(), [name](const DriverKey& own) { return own.name == name; });
}

}  // namespace

bool is_reloadable(std::string_view key) {
  if (key == "profile" || key.starts_with("profile.")) return true;
  if (key.starts_with(driver_prefix)) return is_option_of_driver(key);
  return std::ranges::find(reloadable_keys, key) != reloadable_keys.end();
}

bool is_reloadable(std::string_view key, std::string_view before, std::string_view after) {
  constexpr std::string_view none = "\"\"";
  if (key.starts_with("server.tls_") && (before == none || after == none)) return false;
  return is_reloadable(key);
}

}  // namespace gantry::config
