// SPDX-License-Identifier: Apache-2.0
#include "python/python_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "python/characters.hpp"

namespace filter_driver {
namespace {

// These characters are escaped: controls, separators, format characters, and bytes that are not UTF-8. Python also
// escapes each code point that Unicode has not assigned.
bool is_shown_as_it_is(char32_t code) {
  const bool is_control = code < 0x20 || (code >= 0x7f && code <= 0xa0) || code == 0xad;
  const bool is_format = (code >= 0x2000 && code <= 0x200f) || (code >= 0x2028 && code <= 0x202f) ||
                         (code >= 0x205f && code <= 0x206f) || code == 0x3000 || code == 0xfeff || code >= 0xe0000;
  const bool is_surrogate_or_private = code >= 0xd800 && code <= 0xf8ff;
  return !is_control && !is_format && !is_surrogate_or_private;
}

void append_escaped(std::string& out, char32_t code) {
  constexpr std::string_view digits = "0123456789abcdef";
  const int places = code < 0x100 ? 2 : code < 0x10000 ? 4 : 8;
  out += '\\';
  out += places == 2 ? 'x' : places == 4 ? 'u' : 'U';
  for (int place = places - 1; place >= 0; --place) out += digits[(code >> (4 * place)) & 15];
}

void append_repr(std::string& out, std::string_view text) {
  const bool double_quoted = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
  const char quote = double_quoted ? '"' : '\'';
  out += quote;
  while (!text.empty()) {
    const character next = first_character(text);
    switch (next.code) {
      case '\t': out += "\\t"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\\': out += "\\\\"; break;
      default:
        if (next.code == static_cast<char32_t>(quote)) out += '\\';
        if (is_shown_as_it_is(next.code)) {
          out += text.substr(0, next.bytes);
        } else {
          append_escaped(out, next.code);
        }
    }
    text.remove_prefix(next.bytes);
  }
  out += quote;
}

// Writes the fewest digits that round-trip. Numbers below 1e-4 and from 1e16 on are written with an exponent.
void append_repr(std::string& out, double number) {
  if (std::isnan(number)) {
    out += "nan";
    return;
  }
  if (std::signbit(number)) out += '-';
  if (std::isinf(number)) {
    out += "inf";
    return;
  }
  std::array<char, 32> buffer;
  const char* const end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(number), std::chars_format::scientific).ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t power_at = text.find('e');
  std::string digits(1, text.front());
  if (power_at > 2) digits += text.substr(2, power_at - 2);
  const int power = std::atoi(std::string(text.substr(power_at + 1)).c_str());
  if (power < -4 || power >= 16) {
    out += digits.substr(0, 1);
    if (digits.size() > 1) out += '.' + digits.substr(1);
    out += text.substr(power_at);
  } else if (power < 0) {
    out += "0." + std::string(static_cast<std::size_t>(-power - 1), '0') + digits;
  } else {
    const auto whole = static_cast<std::size_t>(power) + 1;
    if (digits.size() < whole + 1) digits.append(whole + 1 - digits.size(), '0');
    out += digits.substr(0, whole) + '.' + digits.substr(whole);
  }
}

void append_repr(std::string& out, const boost::json::value& value) {
  switch (value.kind()) {
    case boost::json::kind::null: out += "None"; break;
    case boost::json::kind::bool_: out += value.get_bool() ? "True" : "False"; break;
    case boost::json::kind::int64: out += std::to_string(value.get_int64()); break;
    case boost::json::kind::uint64: out += std::to_string(value.get_uint64()); break;
    case boost::json::kind::double_: append_repr(out, value.get_double()); break;
    case boost::json::kind::string: append_repr(out, std::string_view(value.get_string())); break;
    case boost::json::kind::array: {
      std::string_view before = "[";
      for (const boost::json::value& item : value.get_array()) {
        out += before;
        append_repr(out, item);
        before = ", ";
      }
      out += value.get_array().empty() ? "[]" : "]";
      break;
    }
    case boost::json::kind::object: {
      std::string_view before = "{";
      for (const auto& [key, item] : value.get_object()) {
        out += before;
        append_repr(out, std::string_view(key));
        out += ": ";
        append_repr(out, item);
        before = ", ";
      }
      out += value.get_object().empty() ? "{}" : "}";
      break;
    }
  }
}

}  // namespace

std::string str_of(const boost::json::value& value) {
  if (const boost::json::string* text = value.if_string()) return std::string(text->data(), text->size());
  return repr_of(value);
}

std::string repr_of(const boost::json::value& value) {
  std::string out;
  append_repr(out, value);
  return out;
}

std::string repr_of(std::string_view text) {
  std::string out;
  append_repr(out, text);
  return out;
}

std::string_view type_name(const boost::json::value& value) {
  switch (value.kind()) {
    case boost::json::kind::null: return "NoneType";
    case boost::json::kind::bool_: return "bool";
    case boost::json::kind::int64:
    case boost::json::kind::uint64: return "int";
    case boost::json::kind::double_: return "float";
    case boost::json::kind::string: return "str";
    case boost::json::kind::array: return "list";
    case boost::json::kind::object: break;
  }
  return "dict";
}

}  // namespace filter_driver
