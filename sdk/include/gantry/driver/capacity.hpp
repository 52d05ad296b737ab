// SPDX-License-Identifier: Apache-2.0
//
// How many more instances like the one of a request each host takes (ext/capacity.h). A driver that can count has a
// public function count_capacity and returns the table of the extension:
//
//   gantry::code count_capacity(gantry::call& call, const gantry::request& request, gantry::row_counts counts) {
//     gantry::candidates(call, request).rows().for_each([&](std::uint32_t row) { counts[row] = ...; });
//     return gantry::code::ok;
//   }
//   const void* extension(std::string_view id) noexcept override {
//     return gantry::capacity_extension<my_driver>(id);
//   }
//
// count_capacity is a [worker] function. If it cannot count, it returns call.fail(code::unsupported, "why").
#pragma once

#include <gantry/driver.h>
#include <gantry/ext/capacity.h>
#include <gantry/driver/call.hpp>
#include <gantry/driver/driver.hpp>
#include <gantry/driver/entry.hpp>
#include <gantry/driver/request.hpp>
#include <gantry/driver/text.hpp>

#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace gantry {

constexpr std::uint64_t any_number = GANTRY_CAPACITY_UNBOUNDED;  // the count of a row that takes any number

// The counts by row, all 0 when count_capacity is called.
using row_counts = span<std::uint64_t>;

// Returns how often `amount` can be claimed of a resource: the number of claims after which use + amount is at most the
// limit, one after the other. `used` is the use with the claims of today.
inline std::uint64_t claims_that_fit(double used, double amount, double limit) noexcept {
  constexpr double most = 9007199254740992.0;  // 2^53: beyond it a double no longer counts in ones
  const auto fits = [=](double earlier) { return used + earlier * amount + amount <= limit; };
  if (!fits(0)) return 0;
  const double quotient = std::floor((limit - used) / amount);
  if (!(amount > 0) || !(quotient < most)) return any_number;
  // The quotient is rounded, the sums of a claim are not.
  double count = quotient;
  while (count > 1 && !fits(count - 1)) --count;
  if (fits(count)) ++count;
  return static_cast<std::uint64_t>(count);
}

namespace detail {

template <class Class>
gantry_code count_capacity(gantry_driver* opaque, gantry_call* raw_call, const gantry_request* raw_request,
                           std::uint64_t* counts) noexcept {
  return guarded(*of(opaque).host, raw_call, [&](call& call) {
    return static_cast<Class&>(*of(opaque).self)
        .count_capacity(call, request(call, *raw_request), row_counts(counts, raw_request->view->rows));
  });
}

template <class Class>
inline constexpr gantry_capacity capacity_of = {sizeof(gantry_capacity), 0, count_capacity<Class>};

}  // namespace detail

// Returns the table of gantry.capacity/1 for a driver's class. nullptr for any other id.
template <class Class>
const void* capacity_extension(std::string_view id) noexcept {
  static_assert(std::is_base_of_v<driver, Class>, "capacity_extension takes a class that derives from gantry::driver");
  return id == GANTRY_CAPACITY_EXTENSION ? &detail::capacity_of<Class> : nullptr;
}

}  // namespace gantry
