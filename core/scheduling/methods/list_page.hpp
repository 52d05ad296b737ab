// SPDX-License-Identifier: Apache-2.0
//
// The common part of all list methods: filters by text, and pages. A page begins after `marker`, the id of the last
// item of the page before, and holds `limit` items. Without a limit it holds the rest of the list.
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

// Joins names to an item's id, such as "compute/c1". Leaves out empty names at the end.
std::string item_id(std::initializer_list<std::string_view> names);

// The text arguments by which a list is filtered.
class Filters {
 public:
  // Whether an item with this value passes the filter of this argument. True if the argument is not given.
  bool fit(std::string_view argument, std::string_view value) const;
  // Empty if the argument is not given.
  std::optional<std::string> wanted(std::string_view argument) const;

 private:
  friend Result<Filters> read_filters(const json::object&, std::initializer_list<std::string_view>);
  std::vector<std::pair<std::string_view, std::string>> wanted_;
};
Result<Filters> read_filters(const json::object& args, std::initializer_list<std::string_view> arguments);
// Error invalid_argument if the argument is given and is none of the choices.
Result<void> check_choice(const Filters& filters, std::string_view argument,
                          std::initializer_list<std::string_view> choices);

// Returns the page of `items`, which are in the order of the list. The marker may name an item that the filters
// exclude.
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
