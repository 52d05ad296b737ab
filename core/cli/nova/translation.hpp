// SPDX-License-Identifier: Apache-2.0
//
// What a nova.conf says about scheduling, in Gantry's keys.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/cli/nova/conf.hpp"
#include "core/config/tree.hpp"

namespace gantry::cli::nova {

// The release whose nova.conf it is. Later ones compare greater.
enum class Release { icehouse, ocata, zed };
std::string_view name_of(Release release);

struct Carried {
  std::string key;  // "driver.filter.host_subset_size"
  config::Node value;
  std::optional<Place> from{};  // nullopt: no file says so
  std::string note{};
};

struct LeftOut {
  Place place;
  std::string value{};  // empty where it may be secret
  std::string why;
};

struct Translation {
  std::vector<Carried> carried;         // by section: none, scheduling, driver.filter
  std::vector<LeftOut> not_needed;      // Gantry does as they say anyway
  std::vector<LeftOut> no_counterpart;  // decisions may differ
  std::vector<std::string> problems;    // values that make no sense: file, line, key, expected, found
  std::vector<Place> older_names;       // names that Zed does not read
  std::size_t passed_over = 0;          // options that are not about scheduling
};

Translation translate(const Conf& conf, Release release);

}  // namespace gantry::cli::nova
