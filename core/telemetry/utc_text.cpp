// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/utc_text.hpp"

#include <algorithm>
#include <cstdint>

namespace gantry::telemetry {

namespace {

void put_digits(UtcText& text, std::size_t at, std::size_t digits, std::int64_t number) {
  for (; digits > 0; number /= 10) text[at + --digits] = static_cast<char>('0' + number % 10);
}

}  // namespace

UtcText utc_text(std::chrono::system_clock::time_point time) noexcept {
  using std::chrono::floor;
  const auto day = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(floor<std::chrono::microseconds>(time - day));
  constexpr std::string_view form = "YYYY-MM-DDThh:mm:ss.uuuuuuZ";
  UtcText text;
  std::copy(form.begin(), form.end(), text.begin());
  put_digits(text, 0, 4, static_cast<int>(date.year()));
  put_digits(text, 5, 2, static_cast<unsigned>(date.month()));
  put_digits(text, 8, 2, static_cast<unsigned>(date.day()));
  put_digits(text, 11, 2, clock.hours().count());
  put_digits(text, 14, 2, clock.minutes().count());
  put_digits(text, 17, 2, clock.seconds().count());
  put_digits(text, 20, 6, clock.subseconds().count());
  return text;
}

}  // namespace gantry::telemetry
