// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/time.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace gantry {

namespace {

constexpr std::int64_t second = 1'000'000'000;

// Rounded down, before 1970 too.
std::int64_t seconds_of(std::int64_t nanoseconds) {
  return nanoseconds / second - (nanoseconds % second < 0 ? 1 : 0);
}

// Returns the nanoseconds above the whole seconds. Subtracting would overflow 64 bits for the earliest time.
std::int64_t fraction_of(std::int64_t nanoseconds) {
  const auto rest = nanoseconds % second;
  return rest < 0 ? rest + second : rest;
}

std::string whole_seconds(std::int64_t nanoseconds) {
  const std::time_t seconds = seconds_of(nanoseconds);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 64> text{};
  const auto size = std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d", parts.tm_year + 1900,
                                  parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
  return {text.data(), static_cast<std::size_t>(size)};
}

std::string with_digits(std::int64_t nanoseconds, std::size_t digits) {
  auto text = whole_seconds(nanoseconds);
  if (digits != 0) {
    std::array<char, 16> fraction{};
    std::snprintf(fraction.data(), fraction.size(), "%09d", static_cast<int>(fraction_of(nanoseconds)));
    text.append(".").append(fraction.data(), digits);
  }
  return text + "Z";
}

}  // namespace

std::optional<std::int64_t> parse_time(std::string_view text) {
  const std::string terminated(text);
  std::tm parts{};
  int used = 0;
  if (std::sscanf(terminated.c_str(), "%4d-%2d-%2d%*1[T ]%2d:%2d:%2d%n", &parts.tm_year, &parts.tm_mon, &parts.tm_mday,
                  &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &used) != 6 ||
      used == 0) {
    return std::nullopt;
  }
  const std::chrono::year_month_day day(std::chrono::year(parts.tm_year),
                                        std::chrono::month(static_cast<unsigned>(parts.tm_mon)),
                                        std::chrono::day(static_cast<unsigned>(parts.tm_mday)));
  if (parts.tm_year < 1970 || parts.tm_year > 2200 || !day.ok() || parts.tm_hour < 0 || parts.tm_hour > 23 ||
      parts.tm_min < 0 || parts.tm_min > 59 || parts.tm_sec < 0 || parts.tm_sec > 60) {
    return std::nullopt;
  }
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  std::int64_t fraction = 0;
  auto rest = text.substr(static_cast<std::size_t>(used));
  if (!rest.empty() && rest.front() == '.') {
    rest.remove_prefix(1);
    for (auto unit = second / 10; !rest.empty() && rest.front() >= '0' && rest.front() <= '9'; unit /= 10) {
      fraction += unit * (rest.front() - '0');
      rest.remove_prefix(1);
    }
  }
  if (!rest.empty() && rest != "Z" && rest != "+00:00") return std::nullopt;
  return static_cast<std::int64_t>(timegm(&parts)) * second + fraction;
}

std::string time_text(std::int64_t nanoseconds) {
  return with_digits(nanoseconds, 6);
}

std::string exact_time_text(std::int64_t nanoseconds) {
  const auto fraction = fraction_of(nanoseconds);
  if (fraction == 0) return with_digits(nanoseconds, 0);
  if (fraction % 1'000'000 == 0) return with_digits(nanoseconds, 3);
  return with_digits(nanoseconds, fraction % 1000 == 0 ? 6 : 9);
}

}  // namespace gantry
