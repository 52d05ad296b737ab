// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/release.hpp"

#include <algorithm>
#include <nova_classes.hpp>

#include "core/config/sources/tree.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::config::nova {

namespace {

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return lower;
}

// The level for a release that has none of its own; empty for other names. From Pike on, options have Zed's names alone
// and placement judges resources. From Liberty on, the scheduler works on Nova's objects, as Ocata's.
std::string level_for(std::string_view release) {
  const auto position = nova_classes::position_of(release);
  if (position >= nova_classes::position_of("zed") || position == 0) return "";
  if (position >= nova_classes::position_of("pike")) return "zed";
  return position >= nova_classes::position_of("liberty") ? "ocata" : "icehouse";
}

}  // namespace

std::string_view name_of(Release release) {
  return all_releases.at(static_cast<std::size_t>(release)).code;
}

std::optional<Release> release_named(std::string_view name) {
  const std::string lower = in_lower_case(name);
  const auto* const found = std::ranges::find_if(
      all_releases, [&lower](const ReleaseNames& one) { return one.code == lower || one.year == lower; });
  if (found == all_releases.end()) return std::nullopt;
  return static_cast<Release>(found - all_releases.begin());
}

std::string fault_of_release(std::string_view name) {
  std::string text = "expected a release of Nova, one of ";
  std::vector<std::string> known;
  for (auto one = all_releases.rbegin(); one != all_releases.rend(); ++one) {
    text += std::string(known.empty() ? "" : ", ") + std::string(one->code) + " (" + std::string(one->year) + ")";
    known.emplace_back(one->code);
  }
  text += ", found " + describe({std::string(name)});
  const std::string lower = in_lower_case(name);
  if (const std::string level = level_for(lower); !level.empty())
    return text + "; " + lower + " has no level of its own: take " + level;
  const std::string near = nearest(lower, known);
  return text + (near.empty() ? "" : "; did you mean " + near + "?");
}

std::vector<std::string> release_choices() {
  std::vector<std::string> names;
  for (auto one = all_releases.rbegin(); one != all_releases.rend(); ++one) names.emplace_back(one->code);
  return names;
}

}  // namespace gantry::config::nova
