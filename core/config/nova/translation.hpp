// SPDX-License-Identifier: Apache-2.0
//
// Translates the scheduling options of a nova.conf into Gantry's keys: once for a site that leaves Nova's scheduler, or
// at each start for a Nova deployment that Gantry schedules for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/config/nova/conf.hpp"
#include "core/config/nova/release.hpp"
#include "core/config/sources/tree.hpp"

namespace gantry::config::nova {

enum class Purpose {
  import,      // Gantry without Nova: filters do what Nova leaves to its placement service
  deployment,  // Nova with its placement service: the filters of the files alone
};

// Returns "expected ..., found ..." if a key of the core, such as "scheduling.service_down_time", does not take the
// value, otherwise an empty string.
using KeyFault = std::string (*)(std::string_view key, const Node& value);

// A key of Gantry and its value.
struct Carried {
  std::string key;  // "driver.filter.host_subset_size"
  Node value;
  std::optional<Place> from{};  // the Nova option; nullopt: a default of Nova, which stands in no file
  std::string note{};           // a remark for the reader; may be empty
};

// A Nova option that became no key.
struct LeftOut {
  Place place;
  std::string value{};  // empty for an option that may hold a secret
  std::string why;
  bool is_unknown = false;  // no Nova reads an option of this name where it stands
};

struct Translation {
  std::vector<Carried> carried;         // keys outside a section first, then scheduling, then driver.filter
  std::vector<LeftOut> not_needed;      // options that need no key: Gantry behaves like this anyway
  std::vector<LeftOut> no_counterpart;  // options that Gantry cannot follow: decisions may differ
  std::vector<Place> for_deployments;   // options that Gantry reads where [nova] config_files names the files
  std::vector<std::string> problems;    // a sentence for each invalid value: file, line, key, expected, found
  std::vector<Place> older_names;       // options under names that the release does not read any more
  std::string added;                    // the filters that the files do not enable, and why; may be empty
  std::size_t passed_over = 0;          // the number of options that are not about scheduling
};

Translation translate(const Conf& conf, Release release, Purpose purpose, KeyFault fault_of_key);

}  // namespace gantry::config::nova
