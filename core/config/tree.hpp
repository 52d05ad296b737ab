// SPDX-License-Identifier: Apache-2.0
//
// A TOML text as plain values. Each member of a table has its origin. toml.hpp makes trees of files, assignments.hpp of
// settings from elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gantry::config {

struct Node;
struct Member;

using Array = std::vector<Node>;

// The members of a table, sorted by key.
struct Table {
  std::vector<Member> members;

  const Member* find(std::string_view key) const;  // nullptr if there is no such key
};

// A date, a time or both, as written. No setting is a date.
struct Date {
  std::string text;
};

struct Node {
  std::variant<bool, std::int64_t, double, std::string, Date, Array, Table> value;

  template <class T>
  const T* get() const {
    return std::get_if<T>(&value);
  }
};

struct Member {
  std::string key;
  Node node;
  std::string origin;  // of the key: "/etc/gantry/gantry.toml:12:1", "environment GANTRY_...", "--set"
};

// Return TOML in one line. Numbers that are not integers have the fewest digits that round-trip, with ".0" if whole.
std::string to_toml(const Node& node);
std::string to_toml(std::string_view text);
std::string to_toml(double number);
// Returns a key as TOML writes it in front of "=", quoted if necessary.
std::string key_to_toml(std::string_view key);

// Returns a value's type and text for messages: `text "rw"`, `integer 432`, `a table`. Truncates long values.
std::string describe(const Node& node);

}  // namespace gantry::config
