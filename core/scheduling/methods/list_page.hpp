// SPDX-License-Identifier: Apache-2.0
//
// The common part of all list methods: filters by text, and pages. A page begins after `marker`, the id of the last
// item of the page before, and holds `limit` items, or 1,000 without a limit. It holds fewer if it would have more than
// 8 MiB: it then ends with the item that brings it beyond.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// The page that a call asks for.
struct PageWish {
  std::optional<std::string> marker;  // nullopt: the page begins with the first item of the list
  std::size_t limit = usual_page_items;
};
// Reads the arguments `marker` and `limit`.
Result<PageWish> read_page(const json::object& args);
// Returns the error for a marker that is the id of no item in the list.
Error no_such_marker(const std::string& marker);

// Joins names to the id of a list item, for example "compute/c1". Leaves out empty names at the end.
std::string item_id(std::initializer_list<std::string_view> names);

// The text arguments by which a list is filtered.
class Filters {
 public:
  // Returns whether an item with `value` passes the filter `argument`. True if the call does not give that argument.
  bool fit(std::string_view argument, std::string_view value) const;
  // Returns the text that the call gives for the argument. nullopt if the call does not give it.
  std::optional<std::string> wanted(std::string_view argument) const;

 private:
  friend Result<Filters> read_filters(const json::object&, std::initializer_list<std::string_view>);
  std::vector<std::pair<std::string_view, std::string>> wanted_;  // (argument, text)
};
// Reads from `args` the filters that the names in `arguments` stand for. The filters keep views of these names.
Result<Filters> read_filters(const json::object& args, std::initializer_list<std::string_view> arguments);
// Checks that the text of a filter is one of the choices. Error invalid_argument if it is given and is none of them.
Result<void> check_choice(const Filters& filters, std::string_view argument,
                          std::initializer_list<std::string_view> choices);

// The text of a page, which grows item by item: the values of thousands of items take many times the memory.
class PageText {
 public:
  explicit PageText(std::size_t limit) : limit_(limit) {}
  bool is_full() const { return count_ == limit_ || text_.size() >= most_page_bytes; }
  void add(const json::value& item);
  Outcome outcome() &&;

 private:
  std::size_t limit_;
  std::size_t count_ = 0;
  std::string text_ = "[";
};

// Returns the wished page of `items`, which are in the order of the list. For each item `id_of` returns the id,
// `wanted` returns whether the item passes the filters, and `show` returns the JSON of the answer. The marker may be
// the id of an item that the filters exclude. The outcome is an error if no item has the marker as its id.
template <class Items, class IdOf, class Wanted, class Show>
Outcome page_of(const PageWish& wish, const Items& items, IdOf id_of, Wanted wanted, Show show) {
  auto item = items.begin();
  if (wish.marker) {
    while (item != items.end() && id_of(*item) != *wish.marker) ++item;
    if (item == items.end()) return failed(no_such_marker(*wish.marker));
    ++item;
  }
  PageText page(wish.limit);
  for (; item != items.end() && !page.is_full(); ++item) {
    if (wanted(*item)) page.add(show(*item));
  }
  return std::move(page).outcome();
}

}  // namespace gantry::scheduling
