// SPDX-License-Identifier: Apache-2.0
//
// The content of a TOML text as a tree of values. Each member of a table has its origin. toml.hpp makes the trees of
// files, assignments.hpp makes the trees of environment variables and --set.
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

// A date, a time or both, as the file writes it. No setting has this type.
struct Date {
  std::string text;
};

// A value of any type.
struct Node {
  std::variant<bool, std::int64_t, double, std::string, Date, Array, Table> value;

  // nullptr if the value has another type than T.
  template <class T>
  const T* get() const {
    return std::get_if<T>(&value);
  }
};

// A key of a table and its value.
struct Member {
  std::string key;
  Node node;
  std::string origin;  // where the key was set: "/etc/gantry/gantry.toml:12:1", "environment GANTRY_...", "--set"
};

// Return the value as TOML in one line. A double has the fewest digits from which the same double is read again, and
// ends in ".0" if it has no fraction.
std::string to_toml(const Node& node);
std::string to_toml(std::string_view text);
std::string to_toml(double number);
// Returns a key as TOML writes it in front of "=", quoted if necessary.
std::string key_to_toml(std::string_view key);

// Returns the type and the value for messages: `text "rw"`, `integer 432`, `a table`. Truncates long values.
std::string describe(const Node& node);

}  // namespace gantry::config
