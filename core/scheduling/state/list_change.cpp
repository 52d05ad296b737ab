// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/list_change.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace gantry::scheduling {

namespace {

std::vector<std::string> items_of(const json::object& object, std::string_view key) {
  std::vector<std::string> items;
  if (const auto* list = json::find_array(object, key))
    for (const auto& item : *list) items.emplace_back(std::string_view(item.get_string()));
  return items;
}

std::vector<std::string> without(const std::vector<std::string>& items, const std::vector<std::string>& others) {
  const std::unordered_set<std::string_view> known(others.begin(), others.end());
  std::vector<std::string> rest;
  std::ranges::copy_if(items, std::back_inserter(rest), [&](const auto& item) { return !known.contains(item); });
  return rest;
}

}  // namespace

ListChange change_of_list(const json::object& before, const json::object& after, std::string_view member) {
  const auto had = items_of(before, member);
  const auto has = items_of(after, member);
  return {member, without(has, had), without(had, has)};
}

json::object shown(const ListChange& change) {
  constexpr std::size_t most = 10;
  json::object sides;
  for (const auto& [side, items] : {std::pair("added", &change.added), std::pair("removed", &change.removed)}) {
    if (items->empty()) continue;
    const auto end = items->begin() + static_cast<std::ptrdiff_t>(std::min(most, items->size()));
    sides[side] = json::object{{"count", items->size()}, {"first", json::array(items->begin(), end)}};
  }
  return sides;
}

std::string text_of_list(const json::object& shown) {
  constexpr std::size_t most = 5;
  std::string text;
  for (const auto& [side, items] : shown) {
    const auto& of_side = items.get_object();
    const auto count = static_cast<std::size_t>(json::find_integer(of_side, "count").value_or(0));
    const auto& first = of_side.at("first").get_array();
    const auto named = std::min(most, first.size());
    text.append(text.empty() ? "" : ", ").append(side).append(" ").append(std::to_string(count)).append(" (");
    for (std::size_t at = 0; at < named; ++at)
      text.append(at == 0 ? "" : ", ").append(std::string_view(first[at].get_string()));
    text.append(count > named ? " and " + std::to_string(count - named) + " more)" : ")");
  }
  return text;
}

}  // namespace gantry::scheduling
