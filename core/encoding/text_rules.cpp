// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/text_rules.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace gantry {

namespace {

constexpr std::array<TextRule, 5> rules{{{TextKind::name, 255, false},
                                         {TextKind::sentence, 4096, true},
                                         {TextKind::cursor, 8192, false},
                                         {TextKind::known, any_length, true},
                                         {TextKind::secret, 65'536, true}}};

bool is_control_byte(unsigned char byte) {
  return byte < ' ' || byte == 0x7f;
}

// Bytes that go on a character begin with the bits 10.
std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char byte) { return (byte & 0xc0) != 0x80; }));
}

}  // namespace

const TextRule& rule_of(TextKind kind) {
  return *std::find_if(rules.begin(), rules.end(), [kind](const TextRule& rule) { return rule.kind == kind; });
}

std::string fault_of(TextKind kind, std::string_view text) {
  const auto& rule = rule_of(kind);
  if (!rule.may_have_breaks) {
    if (const auto control = std::find_if(text.begin(), text.end(), is_control_byte); control != text.end()) {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "0x%02x", static_cast<unsigned char>(*control));
      return "expected text without control characters, found " + std::string(code.data()) + " at byte " +
             std::to_string(control - text.begin());
    }
  }
  if (text.size() <= rule.longest) return {};
  const auto characters = characters_of(text);
  if (characters <= rule.longest) return {};
  return "expected at most " + std::to_string(rule.longest) + " characters, found " + std::to_string(characters);
}

}  // namespace gantry
