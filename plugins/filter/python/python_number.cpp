// SPDX-License-Identifier: Apache-2.0
#include "python/python_number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <system_error>

#include "python/blanks.hpp"
#include "python/decimal_digits.hpp"
#include "python/python_text.hpp"

namespace filter_driver {
namespace {

// Python 3.11 and later refuses ints with more digits.
constexpr std::size_t most_digits = 4300;

bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

// Returns the text without underscores. Empty if an underscore is not between two digits.
std::optional<std::string> without_underscores(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t place = 0; place < text.size(); ++place) {
    if (text[place] != '_') {
      plain.push_back(text[place]);
    } else if (place == 0 || place + 1 == text.size() || !is_digit(text[place - 1]) || !is_digit(text[place + 1])) {
      return std::nullopt;
    }
  }
  return plain;
}

bool takes_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

bool is_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char given, char wanted) {
    return (given >= 'A' && given <= 'Z' ? static_cast<char>(given - 'A' + 'a') : given) == wanted;
  });
}

std::size_t count_digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

// Matches: digits [. digits] [e [sign] digits], with a digit before or after the point.
bool is_decimal(std::string_view text) {
  const std::size_t before = count_digits(text);
  text.remove_prefix(before);
  std::size_t after = 0;
  if (text.starts_with('.')) {
    after = count_digits(text.substr(1));
    text.remove_prefix(after + 1);
  }
  if (before + after == 0) return false;
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  takes_sign(text);
  return !text.empty() && count_digits(text) == text.size();
}

// Returns true if a number outside the range of a double is too large, false if it is too small. The position of the
// first nonzero digit relative to the point, plus the exponent, decides.
bool is_great(std::string_view digits) {
  const std::size_t mantissa_end = std::min(digits.find_first_of("eE"), digits.size());
  const std::string_view mantissa = digits.substr(0, mantissa_end);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = std::min(mantissa.find_first_of("123456789"), mantissa.size());
  const auto place = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  if (mantissa_end == digits.size()) return place > 0;
  std::string_view power = digits.substr(mantissa_end + 1);
  const bool negative = takes_sign(power);
  std::int64_t exponent = 0;
  const auto read = std::from_chars(power.data(), power.data() + power.size(), exponent);
  if (read.ec != std::errc() || exponent > std::numeric_limits<std::int64_t>::max() / 2) return !negative;
  return place + (negative ? -exponent : exponent) > 0;
}

raised bad_float(std::string_view text) {
  return {"ValueError", "could not convert string to float: " + repr_of(text)};
}

raised bad_int(std::string_view text) {
  return {"ValueError", "invalid literal for int() with base 10: " + repr_of(text)};
}

}  // namespace

double nearest_double(std::string_view digits) {
  const bool negative = takes_sign(digits);
  double value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ec == std::errc::result_out_of_range) {
    value = is_great(digits) ? std::numeric_limits<double>::infinity() : 0.0;
  }
  return negative ? -value : value;
}

outcome<double> float_of(std::string_view text) {
  const std::optional<std::string> plain = without_underscores(with_ascii_digits(without_blanks(text)));
  if (!plain) return bad_float(text);
  std::string_view number = *plain;
  const bool negative = takes_sign(number);
  if (is_word(number, "inf") || is_word(number, "infinity")) {
    const double infinity = std::numeric_limits<double>::infinity();
    return negative ? -infinity : infinity;
  }
  if (is_word(number, "nan")) return std::numeric_limits<double>::quiet_NaN();
  if (!is_decimal(number)) return bad_float(text);
  const double value = nearest_double(number);
  return negative ? -value : value;
}

outcome<boost::json::value> int_of(std::string_view text) {
  const std::optional<std::string> plain = without_underscores(with_ascii_digits(without_blanks(text)));
  if (!plain) return bad_int(text);
  std::string_view number = *plain;
  const bool negative = takes_sign(number);
  if (number.empty() || count_digits(number) != number.size()) return bad_int(text);
  if (number.size() > most_digits) {
    return raised{"ValueError", "Exceeds the limit (4300 digits) for integer string conversion: value has " +
                                    std::to_string(number.size()) +
                                    " digits; use sys.set_int_max_str_digits() to increase the limit"};
  }
  const std::string signed_number = (negative ? "-" : "") + std::string(number);
  const char* const end = signed_number.data() + signed_number.size();
  std::int64_t small = 0;
  if (std::from_chars(signed_number.data(), end, small).ec == std::errc()) return boost::json::value(small);
  std::uint64_t great = 0;
  if (!negative && std::from_chars(signed_number.data(), end, great).ec == std::errc())
    return boost::json::value(great);
  return boost::json::value(nearest_double(signed_number));
}

boost::json::value int_or_double(double number) {
  constexpr double beyond = 9223372036854775808.0;
  if (std::isnan(number)) return nullptr;
  if (std::trunc(number) != number || number >= beyond || number < -beyond) return number;
  return static_cast<std::int64_t>(number);
}

}  // namespace filter_driver
