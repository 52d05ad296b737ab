// SPDX-License-Identifier: Apache-2.0
//
// Translates the scheduling options of a nova.conf into Gantry's keys.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/cli/nova/conf.hpp"
#include "core/config/tree.hpp"

namespace gantry::cli::nova {

// The release of the nova.conf. A later release compares greater.
enum class Release { icehouse, ocata, zed };
std::string_view name_of(Release release);

struct Carried {
  std::string key;  // "driver.filter.host_subset_size"
  config::Node value;
  std::optional<Place> from{};  // nullopt: a default of Nova's, in no file
  std::string note{};
};

struct LeftOut {
  Place place;
  std::string value{};  // empty if the value may be secret
  std::string why;
};

struct Translation {
  std::vector<Carried> carried;         // sorted by section: none, scheduling, driver.filter
  std::vector<LeftOut> not_needed;      // Gantry behaves like this anyway
  std::vector<LeftOut> no_counterpart;  // decisions may differ
  std::vector<std::string> problems;    // invalid values: file, line, key, expected, found
  std::vector<Place> older_names;       // options under names that Zed does not read
  std::size_t passed_over = 0;          // the number of options of other services
};

Translation translate(const Conf& conf, Release release);

}  // namespace gantry::cli::nova
