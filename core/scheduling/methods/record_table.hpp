// SPDX-License-Identifier: Apache-2.0
//
// What the methods answer, described: every record by name, with its members. The functions that write the records
// (shown(), status.cpp and so on) and this table are held together by the tests of the OpenAPI document.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace gantry::scheduling {

// A shape says what a value may be, in few words:
//   text, integer, number, truth, time (ISO 8601), object (of any members), any, or the name of a record
//   'up'|'down'   one of these texts         [shape]   a list
//   one|other     one of these shapes        {shape}   an object whose members are all of that shape
//   shape?        or null
struct Member {
  std::string_view name;
  std::string_view shape;
  std::string_view meaning{};
  bool always = true;  // false: it may be absent
};

constexpr Member maybe(std::string_view name, std::string_view shape, std::string_view meaning = {}) {
  return {name, shape, meaning, false};
}

struct Record {
  std::string_view name;
  std::string_view meaning;
  std::vector<Member> members;
  std::string_view others{};  // the shape of members beyond those; empty: there are none
};

// Sorted by name.
std::span<const Record> record_table();

}  // namespace gantry::scheduling
