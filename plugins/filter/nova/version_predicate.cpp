// SPDX-License-Identifier: Apache-2.0
#include "nova/version_predicate.hpp"

#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <system_error>

#include "python/blanks.hpp"
#include "python/python_text.hpp"

namespace filter_driver {
namespace {

raised invalid(std::string_view version) {
  return {"ValueError", "invalid version number '" + std::string(version) + "'"};
}

raised bad_restriction(std::string_view part) {
  return {"ValueError", "bad package restriction syntax: " + repr_of(part)};
}

// Removes a number from the front of the text. Empty if the text does not begin with a digit.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  if (digits == 0) return std::nullopt;
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + digits, number);
  if (read.ec == std::errc::result_out_of_range) number = std::numeric_limits<std::uint64_t>::max();
  text.remove_prefix(digits);
  return number;
}

std::optional<std::uint64_t> take_number_after(std::string_view& text, char mark) {
  if (!text.starts_with(mark)) return std::nullopt;
  std::string_view rest = text.substr(1);
  const std::optional<std::uint64_t> number = take_number(rest);
  if (number) text = rest;
  return number;
}

}  // namespace

std::optional<comparison> take_comparison(std::string_view& text) {
  constexpr std::array all = {comparison::at_most, comparison::at_least, comparison::less,
                              comparison::greater, comparison::unequal,  comparison::equal};
  for (const comparison each : all) {
    if (!text.starts_with(sign_of(each))) continue;
    text.remove_prefix(sign_of(each).size());
    return each;
  }
  return std::nullopt;
}

outcome<strict_version> strict_version::read(std::string_view text) {
  std::string_view rest = text;
  const std::optional<std::uint64_t> major = take_number(rest);
  if (!major) return invalid(text);
  const std::optional<std::uint64_t> minor = take_number_after(rest, '.');
  if (!minor) return invalid(text);
  strict_version version;
  version.numbers = {*major, *minor, take_number_after(rest, '.').value_or(0)};
  for (const char mark : {'a', 'b'}) {
    const std::optional<std::uint64_t> number = take_number_after(rest, mark);
    if (!number) continue;
    version.release = mark;
    version.release_number = *number;
    break;
  }
  if (!rest.empty()) return invalid(text);
  return version;
}

outcome<version_predicate> version_predicate::read(std::string_view text) {
  if (const std::size_t line_end = text.find('\n'); line_end != std::string_view::npos) {
    // Python looks at the first line only and misses the parenthesis that Nova puts at the end.
    const std::string first_line = std::string("(").append(text.substr(0, line_end));
    return raised{"ValueError", "expected parenthesized list: " + repr_of(without_blanks(first_line))};
  }
  version_predicate predicate;
  for (const std::string_view part : parts_of(text, ',')) {
    std::string_view rest = without_blanks(part);
    const std::optional<comparison> by = take_comparison(rest);
    if (!by) return bad_restriction(part);
    rest = without_blanks(rest);
    if (rest.empty() && (*by == comparison::at_most || *by == comparison::at_least)) return invalid("=");
    if (words_of(rest).size() != 1) return bad_restriction(part);
    const outcome<strict_version> version = strict_version::read(rest);
    if (!version.ok()) return version.error();
    predicate.comparisons_.push_back({*by, version.value()});
  }
  return predicate;
}

outcome<bool> version_predicate::satisfied_by(std::string_view version) const {
  const outcome<strict_version> read = strict_version::read(version);
  if (!read.ok()) return read.error();
  for (const comparison_with& wanted : comparisons_) {
    if (!holds(wanted.by, read.value() <=> wanted.version)) return false;
  }
  return true;
}

outcome<std::string> dotted_version(const boost::json::value& version) {
  if (!is_number(version)) {
    return raised{"TypeError",
                  "unsupported operand type(s) for //: '" + std::string(type_name(version)) + "' and 'int'"};
  }
  const bool whole = !version.is_double() && !(version.is_int64() && version.get_int64() < 0);
  if (!whole) return invalid(repr_of(version));
  std::uint64_t rest = version.is_bool()     ? static_cast<std::uint64_t>(version.get_bool() ? 1 : 0)
                       : version.is_uint64() ? version.get_uint64()
                                             : static_cast<std::uint64_t>(version.get_int64());
  std::string text;
  for (; rest != 0; rest /= 1000) text = std::to_string(rest % 1000) + (text.empty() ? "" : ".") + text;
  return text;
}

}  // namespace filter_driver
