// SPDX-License-Identifier: Apache-2.0
//
// The releases of Nova that a level of Gantry's stands for, as one list: each has a code name and the name of its year.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::config::nova {

// The Nova release that a nova.conf was written for. A later release compares greater.
enum class Release {
  icehouse,
  ocata,
  zed,
  antelope,
  bobcat,
  caracal,
  dalmatian,
  epoxy,
  flamingo,
  gazpacho,
  hibiscus,
};

struct ReleaseNames {
  std::string_view code;
  std::string_view year;  // year and number within the year
};
// In the order of Release.
inline constexpr std::array<ReleaseNames, 11> all_releases{{{"icehouse", "2014.1"},
                                                            {"ocata", "2017.1"},
                                                            {"zed", "2022.2"},
                                                            {"antelope", "2023.1"},
                                                            {"bobcat", "2023.2"},
                                                            {"caracal", "2024.1"},
                                                            {"dalmatian", "2024.2"},
                                                            {"epoxy", "2025.1"},
                                                            {"flamingo", "2025.2"},
                                                            {"gazpacho", "2026.1"},
                                                            {"hibiscus", "2026.2"}}};
// The default of the option compatibility.
inline constexpr Release newest_release = static_cast<Release>(all_releases.size() - 1);

// Returns the code name.
std::string_view name_of(Release release);
// Takes a code name or the name of a year, in any case. nullopt: Gantry has no such level.
std::optional<Release> release_named(std::string_view name);
// Returns "expected ..., found ..." for a name that release_named does not take. The sentence names the level to take
// for a release that has none of its own.
std::string fault_of_release(std::string_view name);
// Returns the code names, the newest first, for help texts.
std::vector<std::string> release_choices();

}  // namespace gantry::config::nova
