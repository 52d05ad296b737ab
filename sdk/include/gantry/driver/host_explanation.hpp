// SPDX-License-Identifier: Apache-2.0
//
// Explanations of single hosts: why each host was chosen or left out. request.explain_hosts() says which explanations a
// request asks for. A driver passes each explanation to call.explain_host().
#pragma once

#include <gantry/driver.h>
#include <gantry/ext/explain.h>
#include <gantry/driver/text.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace gantry {

// The explanations that a request asks for.
enum class explain_hosts : std::uint32_t {
  none = GANTRY_EXPLAIN_NONE,
  hosts = GANTRY_EXPLAIN_HOSTS,              // verdicts up to the first rejection; terms of the best ten hosts
  all_filters = GANTRY_EXPLAIN_ALL_FILTERS,  // the verdict of every filter; terms of each host that passed
};

// The verdict of a filter, or of another step, on one host. Refers to the texts of the constructor's arguments. Has the
// layout of the ABI's struct.
struct verdict : gantry_verdict {
  // cppcheck-suppress uninitDerivedMemberVar ; the base is an aggregate, and given whole
  verdict(std::string_view step, bool passes, std::string_view why = {}) noexcept
      : gantry_verdict{gantry::raw(step), gantry::raw(why), passes ? 1u : 0u, 0} {}
};
static_assert(sizeof(verdict) == sizeof(gantry_verdict), "an array of them is one of the ABI's");

// The part of a host's weight that comes from one weigher: normalized score * multiplier. The raw number is the score
// before the driver scaled it. Has the layout of the ABI's struct.
struct term : gantry_term {
  // cppcheck-suppress uninitDerivedMemberVar ; the base is an aggregate, and given whole
  term(std::string_view weigher, double raw_number, double normalized_number, double factor) noexcept
      : gantry_term{gantry::raw(weigher), raw_number, normalized_number, factor} {}
};
static_assert(sizeof(term) == sizeof(gantry_term), "an array of them is one of the ABI's");

// Why one host was chosen or left out for one instance.
struct host_explanation {
  std::uint32_t instance = 0;
  std::uint32_t row = 0;
  span<const verdict> verdicts = {};  // in the order of the filters
  span<const term> terms = {};        // in the order of the weighers
  std::optional<double> weight = std::nullopt;
  std::optional<std::uint64_t> rank = std::nullopt;  // 0 is the first choice; set only for a host that passed
};

}  // namespace gantry
