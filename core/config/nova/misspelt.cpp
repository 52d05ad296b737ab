// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/misspelt.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/config/nova/deployment_options.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::config::nova {

namespace {

using Texts = std::vector<std::string>;

// Names that keystoneauth and Nova read in the same sections, and Gantry does not.
constexpr std::array<std::string_view, 24> others_of_services{"auth_section",
                                                              "collect_timing",
                                                              "split_loggers",
                                                              "user_id",
                                                              "domain_id",
                                                              "domain_name",
                                                              "trust_id",
                                                              "system_scope",
                                                              "version",
                                                              "min_version",
                                                              "max_version",
                                                              "connect_retries",
                                                              "interface",
                                                              "passcode",
                                                              "connect_retry_delay",
                                                              "status_code_retries",
                                                              "os_region_name",
                                                              "os_interface",
                                                              "status_code_retry_delay",
                                                              "ovs_bridge",
                                                              "physnets",
                                                              "http_retries",
                                                              "randomize_allocation_candidates",
                                                              "incomplete_consumer_project_id"};

template <class List>
void add_names(const List& options, std::string_view section, Texts& names) {
  for (const auto& option : options)
    for (const OptionName& name : {option.name, option.older, option.oldest})
      if (!name.key.empty() && (name.section.empty() || name.section == section)) names.emplace_back(name.key);
}

// The names of a section that Gantry reads.
Texts read_in(std::string_view section) {
  Texts names;
  for (const OverriddenOption& option : overridden_options())
    if (option.names.front().section == section) names.emplace_back(option.names.front().key);
  if (section == "DEFAULT") return names;
  add_names(deployment_options(), section, names);
  if (section == "placement" || section == "neutron") {
    add_names(login_options(), section, names);
    add_names(service_options(), section, names);
  }
  return names;
}

bool is_read_by_others(const Place& place) {
  const auto holds = [&place](const auto& names) { return std::ranges::find(names, place.key) != names.end(); };
  return place.section == "oslo_messaging_rabbit" ? is_other_rabbit_option(place.key) : holds(others_of_services);
}

}  // namespace

std::vector<std::string> misspelt_options(const Conf& conf) {
  constexpr std::array<std::string_view, 6> sections{"DEFAULT", "api_database",          "database",
                                                     "neutron", "oslo_messaging_rabbit", "placement"};
  std::vector<std::string> sentences;
  for (const Place& place : conf.all()) {
    if (std::ranges::find(sections, place.section) == sections.end() || is_read_by_others(place)) continue;
    const Texts names = read_in(place.section);
    if (std::ranges::find(names, place.key) != names.end()) continue;
    // Short names are near to each other by chance.
    const std::string near = place.key.size() < 5 ? "" : nearest(place.key, names);
    if (!near.empty())
      sentences.push_back(place.text() + ": key '" + place.name() +
                          "': no such option of Nova's is known; did you mean " + near + "?");
  }
  return sentences;
}

}  // namespace gantry::config::nova
