// SPDX-License-Identifier: Apache-2.0
//
// What all list methods have in common: filters by text, and pages. A page begins after `marker`, the id of the last
// item of the page before, and holds `limit` items; without a limit the rest of the list.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

struct PageWish {
  std::optional<std::string> marker;
  std::size_t limit = 0;  // 0: all
};
Result<PageWish> read_page(const json::object& args);
Error no_such_marker(const std::string& marker);

// Names as an item's id: "compute/c1", where empty ones at the end are left out.
std::string item_id(std::initializer_list<std::string_view> names);

// The text arguments that narrow a list.
class Filters {
 public:
  // Whether the item is wanted, as far as this argument says.
  bool fit(std::string_view argument, std::string_view value) const;
  std::optional<std::string> wanted(std::string_view argument) const;

 private:
  friend Result<Filters> read_filters(const json::object&, std::initializer_list<std::string_view>);
  std::vector<std::pair<std::string_view, std::string>> wanted_;
};
Result<Filters> read_filters(const json::object& args, std::initializer_list<std::string_view> arguments);
// The argument, where it is given, is one of these.
Result<void> check_choice(const Filters& filters, std::string_view argument,
                          std::initializer_list<std::string_view> choices);

// The page of `items`, which are in the order of the list: the marker is looked for among all of them, also where it is
// not wanted any more.
template <class Items, class IdOf, class Wanted, class Show>
Outcome page_of(const PageWish& wish, const Items& items, IdOf id_of, Wanted wanted, Show show) {
  auto item = items.begin();
  if (wish.marker) {
    while (item != items.end() && id_of(*item) != *wish.marker) ++item;
    if (item == items.end()) return failed(no_such_marker(*wish.marker));
    ++item;
  }
  json::array result;
  for (; item != items.end() && (wish.limit == 0 || result.size() < wish.limit); ++item) {
    if (wanted(*item)) result.push_back(show(*item));
  }
  Outcome outcome;
  outcome.reply = json::value(std::move(result));
  return outcome;
}

}  // namespace gantry::scheduling
