// SPDX-License-Identifier: Apache-2.0
#include "python/python_json.hpp"

#include <algorithm>
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

bool is_digit(char character) {
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

// Reads one text. After a failure error() says why and what it returned means nothing.
class reader {
 public:
  reader(std::string_view text, const boost::json::storage_ptr& memory) : text_(text), memory_(memory) {}

  boost::json::value document() {
    boost::json::value value = read(0);
    skip_blanks();
    if (!failed() && place_ != text_.size()) fail("Extra data");
    return value;
  }

  const std::optional<raised>& error() const { return error_; }

 private:
  bool failed() const { return error_.has_value(); }

  void fail(const std::string& what) {
    if (!failed()) error_ = raised{"ValueError", what + " (char " + std::to_string(place_) + ")"};
  }

  void skip_blanks() {
    const auto is_blank = [](char each) { return each == ' ' || each == '\t' || each == '\n' || each == '\r'; };
    while (place_ < text_.size() && is_blank(text_[place_])) ++place_;
  }

  bool take(char what) {
    if (place_ == text_.size() || text_[place_] != what) return false;
    ++place_;
    return true;
  }

  bool take(std::string_view what) {
    if (!text_.substr(place_).starts_with(what)) return false;
    place_ += what.size();
    return true;
  }

  boost::json::value read(int level) {
    if (level > most_levels) {
      error_ = raised{"RecursionError", "a JSON text of more than " + std::to_string(most_levels) + " levels"};
    }
    if (failed()) return nullptr;
    skip_blanks();
    if (take('{')) return object(level);
    if (take('[')) return array(level);
    if (take('"')) {
      std::string unescaped;
      return boost::json::value(string(unescaped), memory_);
    }
    if (take("null")) return nullptr;
    if (take("true")) return true;
    if (take("false")) return false;
    if (take("NaN")) return std::numeric_limits<double>::quiet_NaN();
    if (take("Infinity")) return std::numeric_limits<double>::infinity();
    if (take("-Infinity")) return -std::numeric_limits<double>::infinity();
    return number();
  }

  boost::json::value object(int level) {
    boost::json::object object(memory_);
    skip_blanks();
    if (take('}')) return object;
    object.reserve(level == 0 ? 32 : 8);  // of a request spec, and of what is in it
    while (!failed()) {
      skip_blanks();
      if (!take('"')) fail("Expecting property name enclosed in double quotes");
      std::string unescaped;
      const auto key = string(unescaped);
      skip_blanks();
      if (!take(':')) fail("Expecting ':' delimiter");
      object.insert_or_assign(key, read(level + 1));
      skip_blanks();
      if (take('}')) return object;
      if (!take(',')) fail("Expecting ',' delimiter");
    }
    return nullptr;
  }

  boost::json::value array(int level) {
    boost::json::array array(memory_);
    skip_blanks();
    if (take(']')) return array;
    while (!failed()) {
      array.push_back(read(level + 1));
      skip_blanks();
      if (take(']')) return array;
      if (!take(',')) fail("Expecting ',' delimiter");
    }
    return nullptr;
  }

  // After its opening quote: a part of the text, or `unescaped`.
  std::string_view string(std::string& unescaped) {
    const auto end = text_.find('"', place_);
    const auto plain = text_.substr(place_, end - place_);
    if (end != std::string_view::npos && is_plain(plain)) {
      place_ = end + 1;
      return plain;
    }
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

  static bool is_plain(std::string_view text) {
    bool is_plain = true;
    for (const char each : text) is_plain &= (each != '\\') & (static_cast<unsigned char>(each) >= 0x20);
    return is_plain;
  }

  void escape(std::string& out) {
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

  char32_t four_digits() {
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

  std::size_t skip_digits() {
    const std::size_t first = place_;
    while (place_ < text_.size() && is_digit(text_[place_])) ++place_;
    return place_ - first;
  }

  // An int; a float if a point with digits after it or an exponent follows. What follows else is left where it is.
  boost::json::value number() {
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

  std::string_view text_;
  const boost::json::storage_ptr& memory_;
  std::size_t place_ = 0;
  std::optional<raised> error_;
};

}  // namespace

outcome<boost::json::value> read_json(std::string_view text, const boost::json::storage_ptr& memory) {
  reader reader(text, memory);
  boost::json::value value = reader.document();
  if (reader.error()) return *reader.error();
  return value;
}

}  // namespace filter_driver
