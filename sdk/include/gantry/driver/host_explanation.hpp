// SPDX-License-Identifier: Apache-2.0
//
// What became of single hosts in a decision, for whoever asks why this one: call.explain_host() takes one host's, where
// request.explain_hosts() says that they are asked for.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/text.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace gantry {

enum class explain_hosts : std::uint32_t {
  none = GANTRY_EXPLAIN_NONE,
  hosts = GANTRY_EXPLAIN_HOSTS,              // verdicts up to the first rejection, terms of the best ten hosts
  all_filters = GANTRY_EXPLAIN_ALL_FILTERS,  // every filter's verdict, terms of each host that is left
};

// What a filter, or another step, says of one host. Refers to its texts; laid out as the host reads it.
struct verdict : gantry_verdict {
  // cppcheck-suppress uninitDerivedMemberVar ; the base is an aggregate, and given whole
  verdict(std::string_view step, bool passes, std::string_view why = {}) noexcept
      : gantry_verdict{gantry::raw(step), gantry::raw(why), passes ? 1u : 0u, 0} {}
};
static_assert(sizeof(verdict) == sizeof(gantry_verdict), "an array of them is one of the ABI's");

// What a weigher adds to a host's weight: normalized times multiplier.
struct term : gantry_term {
  // cppcheck-suppress uninitDerivedMemberVar ; the base is an aggregate, and given whole
  term(std::string_view weigher, double raw_number, double normalized_number, double factor) noexcept
      : gantry_term{gantry::raw(weigher), raw_number, normalized_number, factor} {}
};
static_assert(sizeof(term) == sizeof(gantry_term), "an array of them is one of the ABI's");

// What became of a host while a row was sought for an instance.
struct host_explanation {
  std::uint32_t instance = 0;
  std::uint32_t row = 0;
  span<const verdict> verdicts = {};  // in the order of the filters
  span<const term> terms = {};        // in the order of the weighers
  std::optional<double> weight = std::nullopt;
  std::optional<std::uint64_t> rank = std::nullopt;  // 0: the first choice; only of a host that is left
};

}  // namespace gantry
