// SPDX-License-Identifier: Apache-2.0
//
// Plays random cases for some time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "core/conformance/run/suite.hpp"

namespace gantry::conformance {

struct Fuzzed {
  std::uint64_t cases = 0;         // how many were played
  std::optional<Outcome> finding;  // the first failure: its rule and seed repeat it
};

// Plays the cases of settings.seed, of the next seed and so on, until the time is over or one fails. The cases run in
// processes of their own, as rules do (run_rules).
Result<Fuzzed> run_fuzz(const Settings& settings, std::chrono::milliseconds time);

}  // namespace gantry::conformance
