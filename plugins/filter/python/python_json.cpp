// SPDX-License-Identifier: Apache-2.0
#include "python/python_json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "python/python_number.hpp"

namespace filter_driver {
namespace {

constexpr int most_levels = 900;

bool is_json_digit(char character) {
  return character >= '0' && character <= '9';
}

void append_utf8(std::string& out, char32_t code) {
  const auto append = [&](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) return append(code);
  if (code < 0x800) {
    append(0xc0 | (code >> 6));
  } else {
    if (code < 0x10000) {
      append(0xe0 | (code >> 12));
    } else {
      append(0xf0 | (code >> 18));
      append(0x80 | ((code >> 12) & 0x3f));
    }
    append(0x80 | ((code >> 6) & 0x3f));
  }
  append(0x80 | (code & 0x3f));
}

constexpr auto plain_characters = [] {
  std::array<bool, 256> plain{};
  for (std::size_t code = 0x20; code < plain.size(); ++code) plain[code] = code != '"' && code != '\\';
  return plain;
}();

}  // namespace

void json_cursor::fail(const std::string& what) {
  if (!failed()) error_ = raised{"ValueError", what + " (char " + std::to_string(place_) + ")"};
}

void json_cursor::skip_blanks() {
  const auto is_blank = [](char each) { return each == ' ' || each == '\t' || each == '\n' || each == '\r'; };
  while (place_ < text_.size() && is_blank(text_[place_])) ++place_;
}

bool json_cursor::is_next(char character) {
  skip_blanks();
  return place_ < text_.size() && text_[place_] == character;
}

bool json_cursor::take(char what) {
  if (place_ == text_.size() || text_[place_] != what) return false;
  ++place_;
  return true;
}

bool json_cursor::take(std::string_view what) {
  if (!text_.substr(place_).starts_with(what)) return false;
  place_ += what.size();
  return true;
}

bool json_cursor::enter(char opening) {
  if (failed() || !is_next(opening)) return false;
  ++place_;
  if (++levels_ > most_levels)
    error_ = raised{"RecursionError", "a JSON text of more than " + std::to_string(most_levels) + " levels"};
  return true;
}

template <class Visit>
bool json_cursor::elements(const Visit& visit) {
  if (!enter('[')) return false;
  for (bool more = !is_next(']'); more && !failed(); more = take(',')) {
    visit();
    skip_blanks();
  }
  if (!failed() && !take(']')) fail("Expecting ',' delimiter");
  --levels_;
  return true;
}

boost::json::value json_cursor::read() {
  if (is_next('{')) {
    boost::json::object object;
    members([&](std::string_view key) {
      if (object.empty()) object.reserve(8);
      object.insert_or_assign(key, read());
    });
    if (!failed()) return object;
  } else if (is_next('[')) {
    boost::json::array array;
    elements([&] { array.push_back(read()); });
    if (!failed()) return array;
  }
  return scalar();
}

std::optional<std::string> json_cursor::read_text() {
  if (failed() || !is_next('"')) {
    skip();
    return std::nullopt;
  }
  ++place_;
  std::string unescaped;
  return std::string(string(unescaped));
}

void json_cursor::skip() {
  if (members([this](std::string_view) { skip(); }) || elements([this] { skip(); })) return;
  if (failed() || !is_next('"')) {
    scalar();
    return;
  }
  ++place_;
  std::string unescaped;
  string(unescaped);
}

void json_cursor::finish() {
  skip_blanks();
  if (place_ != text_.size()) fail("Extra data");
}

boost::json::value json_cursor::scalar() {
  if (failed()) return nullptr;
  skip_blanks();
  if (take('"')) {
    std::string unescaped;
    return boost::json::value(string(unescaped));
  }
  if (take("null")) return nullptr;
  if (take("true")) return true;
  if (take("false")) return false;
  if (take("NaN")) return std::numeric_limits<double>::quiet_NaN();
  if (take("Infinity")) return std::numeric_limits<double>::infinity();
  if (take("-Infinity")) return -std::numeric_limits<double>::infinity();
  return number();
}

// Reads a key and the colon after it. Returns a view of the text, or of `unescaped` if the key has escapes.
std::string_view json_cursor::key(std::string& unescaped) {
  skip_blanks();
  if (!take('"')) fail("Expecting property name enclosed in double quotes");
  const auto key = string(unescaped);
  skip_blanks();
  if (!take(':')) fail("Expecting ':' delimiter");
  return key;
}

// Reads a string after its opening quote. Returns a view of the text, or of `unescaped` if the string has escapes.
std::string_view json_cursor::string(std::string& unescaped) {
  const auto first = place_;
  while (place_ < text_.size() && plain_characters[static_cast<unsigned char>(text_[place_])]) ++place_;
  if (take('"')) return text_.substr(first, place_ - 1 - first);
  unescaped.assign(text_.substr(first, place_ - first));
  while (!failed() && place_ < text_.size()) {
    const char next = text_[place_];
    if (static_cast<unsigned char>(next) < 0x20) fail("Invalid control character");
    ++place_;
    if (next == '"') return unescaped;
    if (next == '\\')
      escape(unescaped);
    else
      unescaped += next;
  }
  fail("Unterminated string");
  return unescaped;
}

void json_cursor::escape(std::string& out) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  const char letter = place_ < text_.size() ? text_[place_] : '\0';
  const std::size_t known = letters.find(letter);
  if (known != std::string_view::npos) {
    ++place_;
    out += meanings[known];
  } else if (letter == 'u') {
    ++place_;
    char32_t code = four_digits();
    const std::size_t after = place_;
    if (code >= 0xd800 && code < 0xdc00 && take("\\u")) {
      const char32_t low = four_digits();
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      } else {
        place_ = after;
      }
    }
    append_utf8(out, code);
  } else {
    fail("Invalid \\escape");
  }
}

char32_t json_cursor::four_digits() {
  std::uint32_t code = 0;
  const char* const first = text_.data() + place_;
  const char* const last = first + std::min<std::size_t>(4, text_.size() - place_);
  if (std::from_chars(first, last, code, 16).ptr != first + 4) {
    fail("Invalid \\uXXXX escape");
    return 0;
  }
  place_ += 4;
  return code;
}

std::size_t json_cursor::skip_digits() {
  const std::size_t first = place_;
  while (place_ < text_.size() && is_json_digit(text_[place_])) ++place_;
  return place_ - first;
}

// Reads an int, or a float if an exponent or a point with digits follows. Text after the number stays unread.
boost::json::value json_cursor::number() {
  const std::size_t first = place_;
  take('-');
  if (!take('0') && skip_digits() == 0) {
    place_ = first;
    fail("Expecting value");
    return nullptr;
  }
  const std::size_t whole = place_;
  if (take('.') && skip_digits() == 0) place_ = whole;
  const std::size_t mantissa = place_;
  if (take('e') || take('E')) {
    if (!take('+')) take('-');
    if (skip_digits() == 0) place_ = mantissa;
  }
  const std::string_view digits = text_.substr(first, place_ - first);
  if (place_ != whole) return nearest_double(digits);
  std::int64_t small = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), small).ec == std::errc()) return small;
  outcome<boost::json::value> number = int_of(digits);
  if (number.ok()) return std::move(number.value());
  error_ = number.error();
  return nullptr;
}

outcome<boost::json::value> read_json(std::string_view text) {
  json_cursor cursor(text);
  boost::json::value value = cursor.read();
  cursor.finish();
  if (cursor.error()) return *cursor.error();
  return value;
}

}  // namespace filter_driver
