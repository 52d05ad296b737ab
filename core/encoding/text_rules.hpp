// SPDX-License-Identifier: Apache-2.0
//
// The rules for texts that callers and files bring and that the service keeps: one table of kinds, with the longest text
// of each. The methods' arguments, an import, fleet files and simulation files are all checked by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gantry {

enum class TextKind : std::uint8_t {
  name,  // the name of a host, node, topic, program, instance, aggregate, zone, group, token, project, user or flavor
  sentence,  // for people: a reason, a fault
  cursor,    // the place in a list where a page begins: names joined
  known,     // names what is there already, however it was named; never kept
  secret,    // goes to a host as it came
};

inline constexpr std::size_t any_length = ~std::size_t{0};

struct TextRule {
  TextKind kind;
  std::size_t longest;   // characters, or any_length
  bool may_have_breaks;  // control characters may be in it
};

// Returns the rule of a kind. Names are as long as Nova's columns keep.
const TextRule& rule_of(TextKind kind);

// Returns what is wrong with a text: "expected at most 255 characters, found 1000000", or "expected text without control
// characters, found 0x0a at byte 3". Empty: nothing is. `text` is valid UTF-8.
std::string fault_of(TextKind kind, std::string_view text);

}  // namespace gantry
