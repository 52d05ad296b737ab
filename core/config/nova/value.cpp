// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/value.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/config/nova/blanks.hpp"

namespace gantry::config::nova {

namespace {

Error unlike(const std::string& expected, std::string_view found) {
  return {ErrorCode::invalid_argument,
          "expected " + expected + ", found " + (found.empty() ? "nothing" : describe({std::string(found)})), ""};
}

// As Python reads it: blanks around it, a plus, underscores between digits.
template <class Number>
std::optional<Number> to_number(std::string_view text) {
  std::string digits(stripped(text));
  for (std::size_t at = digits.find('_'); at != std::string::npos; at = digits.find('_', at)) {
    const auto is_digit = [&](std::size_t i) { return i < digits.size() && digits[i] >= '0' && digits[i] <= '9'; };
    if (at == 0 || !is_digit(at - 1) || !is_digit(at + 1)) return std::nullopt;
    digits.erase(at, 1);
  }
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.erase(0, 1);
  Number number{};
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  // Python takes a number that is too small for zero.
  if constexpr (std::is_floating_point_v<Number>)
    if (problem == std::errc::result_out_of_range && digits.find_first_of("eE") + 1 == digits.rfind('-'))
      return digits.starts_with('-') ? Number{-0.0} : Number{};
  if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

Result<Node> read_boolean(std::string_view text) {
  std::string word(text);
  std::ranges::transform(word, word.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  constexpr std::array<std::string_view, 4> yes{"true", "1", "on", "yes"};
  constexpr std::array<std::string_view, 4> no{"false", "0", "off", "no"};
  if (std::ranges::find(yes, word) != yes.end()) return Node{true};
  if (std::ranges::find(no, word) != no.end()) return Node{false};
  return unlike("true or false (or 1, 0, on, off, yes, no)", text);
}

}  // namespace

bool is_none(Type type, std::string_view text) {
  return (type == Type::integer || type == Type::real) && stripped(text).empty();
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items;
  text = stripped(text);
  while (text.ends_with(',')) text.remove_suffix(1);
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    items.emplace_back(stripped(text.substr(0, comma)));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return items;
}

Node to_node(const std::vector<std::string>& texts) {
  Array items;
  items.reserve(texts.size());
  for (const std::string& text : texts) items.push_back({text});
  return {std::move(items)};
}

Result<Node> read_value(Type type, std::string_view text) {
  switch (type) {
    case Type::integer:
      if (const auto integer = to_number<std::int64_t>(text)) return Node{*integer};
      return unlike("a whole number", text);
    case Type::real:
      if (const auto real = to_number<double>(text); real && std::isfinite(*real)) return Node{*real};
      return unlike("a number", text);
    case Type::boolean: return read_boolean(text);
    case Type::list: return to_node(split_list(text));
    case Type::text: break;
  }
  return Node{std::string(text)};
}

}  // namespace gantry::config::nova
