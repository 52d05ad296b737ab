// SPDX-License-Identifier: Apache-2.0
//
// The argument `explain` of select_destinations: false, true, "hosts" or "all_filters".
#pragma once

#include <cstdint>

#include "core/encoding/json.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"

namespace gantry::scheduling {

// The explanations that a call asks for.
struct ExplainWish {
  bool decision = false;                              // true: the answer holds the decision beside the destinations
  std::uint32_t explain_hosts = GANTRY_EXPLAIN_NONE;  // GANTRY_EXPLAIN_*: the explanations of single hosts
};

// Reads the argument. Error invalid_argument if its value is none of the four.
Result<ExplainWish> read_explain(const json::object& args);

}  // namespace gantry::scheduling
