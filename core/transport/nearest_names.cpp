// SPDX-License-Identifier: Apache-2.0
#include "core/transport/nearest_names.hpp"

#include <algorithm>
#include <numeric>

namespace gantry::transport {

namespace {

std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[to.size()];
}

bool contains(std::string_view whole, std::string_view part) {
  return part.size() >= 4 && whole.find(part) != std::string_view::npos;
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 64;  // the table is quadratic, and no method's name comes near
  if (wanted.empty() || wanted.size() > longest) return {};
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const auto& name : names) {
    const std::size_t distance = edit_distance(wanted, name);
    if (distance <= std::max<std::size_t>(2, wanted.size() / 3) || contains(name, wanted) || contains(wanted, name)) {
      found.emplace_back(distance, name);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, found.size()); ++i) nearest.push_back(found[i].second);
  return nearest;
}

}  // namespace gantry::transport
