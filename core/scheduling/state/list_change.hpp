// SPDX-License-Identifier: Apache-2.0
//
// The items that a change added to a list of an object, and those that it took out. Audit lines and events tell of
// these alone: a list may be long.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::scheduling {

struct ListChange {
  std::string_view member;  // the list's name in the API
  std::vector<std::string> added = {};
  std::vector<std::string> removed = {};
};

// Returns the change of a list of texts that is a member of both objects, or of one of them.
ListChange change_of_list(const json::object& before, const json::object& after, std::string_view member);

// Returns {"added": {"count": 500, "first": ["h1", ...]}, "removed": ...}. A side without items is left out.
json::object shown(const ListChange& change);
// Returns "added 500 (h1, h2, h3 and 497 more), removed 1 (h9)" for what shown() returns.
std::string text_of_list(const json::object& shown);

}  // namespace gantry::scheduling
