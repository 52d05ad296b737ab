// SPDX-License-Identifier: Apache-2.0
//
// Runs the parts of a check at the same time, each in a thread of its own, and says what they find part by part.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "core/nova/check/finding.hpp"

namespace gantry::nova {

struct Part {
  std::string subject;
  // Outlives run_parts() if it has no end by the deadline, so it owns what it uses.
  std::function<void(const Report& report)> run;
};

// Calls `say` with the findings in the order of the parts, in this thread, as they come. Returns false if a part has not
// ended by the deadline: a finding names each of these, and its thread goes on by itself.
bool run_parts(std::vector<Part> parts, std::chrono::steady_clock::time_point deadline, const SayFinding& say);

}  // namespace gantry::nova
