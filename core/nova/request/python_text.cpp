// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/python_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace gantry::nova {

namespace {

constexpr std::string_view blanks_of_strip = " \t\n\v\f\r\x1c\x1d\x1e\x1f";
constexpr std::string_view blanks_of_int = " \t\n\v\f\r";
constexpr std::size_t most_digits_of_int = 4300;  // sys.set_int_max_str_digits

std::string_view stripped(std::string_view text, std::string_view blanks) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Returns the digits without the single underscores between them.
std::optional<std::string> digits_in(std::string_view text) {
  std::string digits;
  bool after_digit = false;
  for (const char c : text) {
    if (c == '_' && !after_digit) return std::nullopt;
    if (c != '_' && !is_digit(c)) return std::nullopt;
    after_digit = c != '_';
    if (after_digit) digits += c;
  }
  if (!after_digit || digits.size() > most_digits_of_int) return std::nullopt;
  return digits;
}

void append_hex(std::string& out, unsigned char c) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += "\\x";
  out += hex[c >> 4U];
  out += hex[c & 15U];
}

void append_escaped(std::string& out, char c, char quote) {
  if (c == quote || c == '\\') {
    out += '\\';
    out += c;
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
    append_hex(out, static_cast<unsigned char>(c));
  } else {
    out += c;
  }
}

}  // namespace

std::string_view python_strip(std::string_view text) {
  return stripped(text, blanks_of_strip);
}

std::optional<std::string> python_int(std::string_view text) {
  auto number = stripped(text, blanks_of_int);
  const bool negative = number.starts_with('-');
  if (negative || number.starts_with('+')) number.remove_prefix(1);
  auto digits = digits_in(number);
  if (!digits) return std::nullopt;
  digits->erase(0, std::min(digits->find_first_not_of('0'), digits->size() - 1));
  return negative && *digits != "0" ? "-" + *digits : *digits;
}

bool python_bool(std::string_view text) {
  constexpr std::array<std::string_view, 6> true_texts = {"1", "T", "TRUE", "ON", "Y", "YES"};
  return std::find(true_texts.begin(), true_texts.end(), python_upper(python_strip(text))) != true_texts.end();
}

std::string python_repr(std::string_view text) {
  const char quote = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string shown(1, quote);
  for (const char c : text) append_escaped(shown, c, quote);
  shown += quote;
  return shown;
}

std::string python_upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

std::vector<std::string_view> python_split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace gantry::nova
