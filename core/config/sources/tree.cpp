// SPDX-License-Identifier: Apache-2.0
#include "core/config/sources/tree.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace gantry::config {

namespace {

constexpr std::size_t longest_described = 80;

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

template <class Items, class Write>
std::string joined(char open, char close, const Items& items, Write write) {
  std::string text(1, open);
  for (const auto& item : items) {
    if (text.size() > 1) text += ", ";
    text += write(item);
  }
  return text += close;
}

void append_escaped(std::string& text, char c) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  switch (c) {
    case '"': text += "\\\""; return;
    case '\\': text += "\\\\"; return;
    case '\n': text += "\\n"; return;
    case '\t': text += "\\t"; return;
    case '\r': text += "\\r"; return;
    default: break;
  }
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte != 0x7f) {
    text += c;
    return;
  }
  text += "\\u00";
  text += hex[byte >> 4U];
  text += hex[byte & 15U];
}

// Cuts at a character's border, so that the message stays UTF-8.
std::string cut(std::string text) {
  if (text.size() <= longest_described) return text;
  std::size_t size = longest_described;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U) --size;
  text.resize(size);
  return text + "...";
}

}  // namespace

const Member* Table::find(std::string_view key) const {
  const auto at = std::find_if(members.begin(), members.end(), [&](const Member& member) { return member.key == key; });
  return at == members.end() ? nullptr : &*at;
}

std::string to_toml(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) append_escaped(quoted, c);
  return quoted += '"';
}

std::string to_toml(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string key_to_toml(std::string_view key) {
  const auto is_bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  if (!key.empty() && std::all_of(key.begin(), key.end(), is_bare)) return std::string(key);
  return to_toml(key);
}

std::string to_toml(const Node& node) {
  return std::visit(
      Overloaded{
          [](bool value) -> std::string { return value ? "true" : "false"; },
          [](std::int64_t value) { return std::to_string(value); },
          [](double value) { return to_toml(value); },
          [](const std::string& value) { return to_toml(std::string_view(value)); },
          [](const Date& value) { return value.text; },
          [](const Array& items) { return joined('[', ']', items, [](const Node& item) { return to_toml(item); }); },
          [](const Table& table) {
            return joined('{', '}', table.members,
                          [](const Member& member) { return key_to_toml(member.key) + " = " + to_toml(member.node); });
          },
      },
      node.value);
}

std::string describe(const Node& node) {
  if (node.get<Table>() != nullptr) return "a table";
  std::string text = cut(to_toml(node));
  if (node.get<Array>() != nullptr) return "the list " + text;
  if (node.get<std::int64_t>() != nullptr) return "the integer " + text;
  if (node.get<Date>() != nullptr) return "the date " + text;
  return text;
}

}  // namespace gantry::config
