// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/readiness.hpp"

namespace gantry::scheduling {

std::vector<std::string> unready_reasons(const State& state) {
  std::vector<std::string> reasons;
  for (const auto* driver : state.parts.drivers.all()) {
    const auto calls = driver->turns().hanging();
    if (calls.empty()) continue;
    const auto& longest = calls.front();
    reasons.push_back("driver '" + driver->manifest().id + "': " + std::to_string(calls.size()) +
                      (calls.size() == 1 ? " call does" : " calls do") + " not return, the longest for " +
                      std::to_string(longest.age.count() / 1000) + " s: " + longest.operation + ", request " +
                      longest.request_id);
  }
  return reasons;
}

}  // namespace gantry::scheduling
