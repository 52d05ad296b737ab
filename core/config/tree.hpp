// SPDX-License-Identifier: Apache-2.0
//
// What a TOML text says, as plain values: each member of a table knows where it was written. Made by toml.hpp, or by
// hand for settings that come from elsewhere.
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

  const Member* find(std::string_view key) const;  // nullptr: none
};

// A date, a time or both, as it was written. Nothing in Gantry takes one.
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

// As TOML in one line. Real numbers are shortest, with ".0" if they are whole.
std::string to_toml(const Node& node);
std::string to_toml(std::string_view text);
std::string to_toml(double number);
// A key as it stands in front of "=": quoted if it has to be.
std::string key_to_toml(std::string_view key);

// For messages: `text "rw"`, `integer 432`, `a table`. Long values are cut.
std::string describe(const Node& node);

}  // namespace gantry::config
