// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/profiles/profile_check.hpp"

#include <algorithm>
#include <optional>

#include "core/encoding/nearest.hpp"
#include "core/scheduling/profiles/pattern.hpp"

namespace gantry::scheduling {

namespace {

using config::Profile;
using Patterns = std::vector<std::string>;

// Whether the first condition holds wherever the second one does. A * of the second is matched by a * alone.
bool covers(const Patterns& first, const Patterns& second) {
  if (first.empty()) return true;
  if (second.empty()) return false;
  return std::ranges::all_of(second, [&first](const std::string& taken) {
    return std::ranges::any_of(first, [&taken](const std::string& pattern) { return matches(pattern, taken); });
  });
}

bool covers(const Profile& first, const Profile& second) {
  const bool covers_hints = std::ranges::all_of(first.hint, [&second](const auto& hint) {
    const auto same = second.hint.find(hint.first);
    return same != second.hint.end() && covers(hint.second, same->second);
  });
  return covers_hints && covers(first.flavor, second.flavor) && covers(first.project, second.project) &&
         covers(first.availability_zone, second.availability_zone) && covers(first.aggregate, second.aggregate) &&
         covers(first.group_policy, second.group_policy);
}

std::string place_of(const Profile& profile) {
  return profile.origin + ": profile '" + profile.name + "'";
}

Error unlike(const Profile& profile, const std::string& expected, const std::string& advice) {
  return {ErrorCode::invalid_configuration,
          place_of(profile) + ": key 'driver': expected " + expected + ", found '" + profile.driver + "'; " + advice,
          {}};
}

// nullopt: the driver can decide what the rule takes, or is one that the start may leave out.
std::optional<Error> fault_of_driver(const Profile& profile, const config::Settings& settings,
                                     const std::vector<ProfileDriver>& drivers) {
  const auto& named = settings.scheduler_driver;
  if (std::ranges::find(named, profile.driver) == named.end()) {
    const auto near = nearest(profile.driver, named);
    return unlike(profile, "a driver that scheduler_driver names",
                  near.empty() ? "add it there and restart" : "did you mean '" + near + "'?");
  }
  const auto driver = std::ranges::find(drivers, profile.driver, &ProfileDriver::name);
  if (driver == drivers.end() || std::ranges::find(driver->topics, "compute") != driver->topics.end())
    return std::nullopt;
  return unlike(profile, "a driver for topic 'compute'", "profiles choose among drivers of that topic alone");
}

}  // namespace

ProfileFindings check_profiles(const config::Settings& settings, const std::vector<ProfileDriver>& drivers) {
  ProfileFindings found;
  const auto& profiles = settings.profiles;
  for (auto profile = profiles.begin(); profile != profiles.end(); ++profile) {
    if (auto fault = fault_of_driver(*profile, settings, drivers)) found.problems.push_back(*std::move(fault));
    const auto earlier =
        std::find_if(profiles.begin(), profile, [&](const Profile& each) { return covers(each, *profile); });
    if (earlier != profile)
      found.warnings.push_back(place_of(*profile) + " takes no request: profile '" + earlier->name + "' at " +
                               earlier->origin +
                               " stands before it and takes all that it would take; put it first, or "
                               "leave it out");
  }
  if (settings.scheduling.profiles_required && profiles.empty())
    found.problems.push_back(
        {ErrorCode::invalid_configuration,
         "scheduling.profiles_required: expected a [[profile]] beside it, found none: no request would "
         "find a host",
         {}});
  return found;
}

}  // namespace gantry::scheduling
