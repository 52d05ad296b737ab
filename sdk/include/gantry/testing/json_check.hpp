// SPDX-License-Identifier: Apache-2.0
//
// Checks the JSON and the UTF-8 that a driver gives, by the rules of the real host.
#pragma once

#include <gantry/driver.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

namespace gantry::testing {

// Returns whether the text is UTF-8: no overlong form, no surrogate, nothing beyond U+10FFFF.
inline bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
    const unsigned first = byte(at);
    const std::size_t size = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if ((first >= 0x80 && first < 0xC2) || first > 0xF4 || at + size > text.size()) return false;
    for (std::size_t next = 1; next < size; ++next) {
      if ((byte(at + next) & 0xC0) != 0x80) return false;
    }
    if (first == 0xE0 && byte(at + 1) < 0xA0) return false;
    if (first == 0xED && byte(at + 1) > 0x9F) return false;
    if (first == 0xF0 && byte(at + 1) < 0x90) return false;
    if (first == 0xF4 && byte(at + 1) > 0x8F) return false;
    at += size;
  }
  return true;
}

// Reads strict JSON: no repeated keys, no number that is not finite, at most GANTRY_MOST_JSON_DEPTH levels.
class json_check {
 public:
  explicit json_check(std::string_view text) : text_(text) {}

  bool is_json() {
    if (!is_utf8(text_)) return false;
    at_ = depth_ = 0;
    return value() && (skip(), at_ == text_.size());
  }
  bool is_object() {
    if (!is_json()) return false;
    at_ = 0;
    skip();
    return text_[at_] == '{';
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool take(char wanted) {
    skip();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool value() {
    skip();
    if (at_ == text_.size()) return false;
    switch (text_[at_]) {
      case '{': return list('}', true);
      case '[': return list(']', false);
      case '"': return string() != nullptr;
      case 't': return take_word("true");
      case 'f': return take_word("false");
      case 'n': return take_word("null");
      default: return number();
    }
  }

  bool list(char end, bool has_keys) {
    if (++depth_ > GANTRY_MOST_JSON_DEPTH) return false;
    ++at_;
    std::set<std::string> keys;
    bool is_first = true;
    while (!take(end)) {
      if (!is_first && !take(',')) return false;
      is_first = false;
      if (has_keys) {
        skip();
        const std::string* key = string();
        if (key == nullptr || !keys.insert(*key).second || !take(':')) return false;
      }
      if (!value()) return false;
    }
    --depth_;
    return true;
  }

  // Returns the text with its escapes of ASCII resolved. nullptr if it is not a string.
  const std::string* string() {
    if (!take('"')) return nullptr;
    last_.clear();
    while (at_ < text_.size()) {
      const char letter = text_[at_++];
      if (letter == '"') return &last_;
      if (static_cast<unsigned char>(letter) < 0x20) return nullptr;
      if (letter != '\\')
        last_ += letter;
      else if (!escape())
        return nullptr;
    }
    return nullptr;
  }

  bool escape() {
    if (at_ == text_.size()) return false;
    const char kind = text_[at_++];
    constexpr std::string_view kinds = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    if (const auto known = kinds.find(kind); known != std::string_view::npos) {
      last_ += meanings[known];
      return true;
    }
    unsigned unit = 0;
    if (kind != 'u' || !hexadecimal(unit)) return false;
    if (unit >= 0xDC00 && unit <= 0xDFFF) return false;
    if (unit >= 0xD800 && unit <= 0xDBFF) {
      unsigned low = 0;
      if (!take_word("\\u") || !hexadecimal(low) || low < 0xDC00 || low > 0xDFFF) return false;
      last_ += "\\" + std::to_string(unit) + "," + std::to_string(low);
    } else if (unit < 0x80) {
      last_ += static_cast<char>(unit);
    } else {
      last_ += "\\" + std::to_string(unit);
    }
    return true;
  }

  bool hexadecimal(unsigned& unit) {
    if (at_ + 4 > text_.size()) return false;
    const std::string digits(text_.substr(at_, 4));
    if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) return false;
    unit = static_cast<unsigned>(std::strtoul(digits.c_str(), nullptr, 16));
    at_ += 4;
    return true;
  }

  std::size_t digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return at_ - begin;
  }

  bool number() {
    const std::size_t begin = at_;
    if (text_[at_] == '-') ++at_;
    const bool has_zero = at_ < text_.size() && text_[at_] == '0';
    const std::size_t whole = digits();
    if (whole == 0 || (has_zero && whole != 1)) return false;
    if (at_ < text_.size() && text_[at_] == '.' && (++at_, digits() == 0)) return false;
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      if (digits() == 0) return false;
    }
    return std::isfinite(std::strtod(std::string(text_.substr(begin, at_ - begin)).c_str(), nullptr));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::string last_;
};

}  // namespace gantry::testing
