// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/printable.hpp"

#include <utility>

namespace gantry {

namespace {

bool is_control(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7F && point <= 0x9F);
}

bool changes_layout(std::uint32_t point) {
  return point == 0x061C || point == 0x200E || point == 0x200F || (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2066 && point <= 0x2069);
}

std::string four_digits(std::uint32_t point) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) text += digits[(point >> shift) & 15U];
  return text;
}

std::string escape(std::uint32_t point) {
  if (point == '\n') return "\\n";
  if (point == '\t') return "\\t";
  if (point == '\r') return "\\r";
  auto text = four_digits(point);
  return point > 0xFF ? text : "\\x" + text.substr(4);
}

template <class Escape>
std::string escaped(std::string_view text, Escape escape_or_empty) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const auto escape_sequence = escape_or_empty(next_code_point(text, at));
    clean += escape_sequence.empty() ? text.substr(begin, at - begin) : std::string_view(escape_sequence);
  }
  return clean;
}

}  // namespace

std::uint32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  std::size_t more = 0;
  if (lead >= 0xF0)
    more = 3;
  else if (lead >= 0xE0)
    more = 2;
  else if (lead >= 0xC0)
    more = 1;
  std::uint32_t point = more == 0 ? lead : lead & (0x3Fu >> more);
  for (; more > 0 && at < text.size(); --more) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte & 0xC0u) != 0x80u) break;
    point = (point << 6u) | (byte & 0x3Fu);
    ++at;
  }
  return point;
}

std::string printable(std::string_view text) {
  return escaped(text, [](std::uint32_t point) {
    return is_control(point) || changes_layout(point) ? escape(point) : std::string();
  });
}

std::string printable_json(std::string_view text) {
  return escaped(text, [](std::uint32_t point) {
    const bool is_between_values = point == '\n' || point == '\t' || point == '\r';
    return !is_between_values && (is_control(point) || changes_layout(point)) ? four_digits(point) : std::string();
  });
}

}  // namespace gantry
