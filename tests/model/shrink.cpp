// SPDX-License-Identifier: Apache-2.0
#include "tests/model/shrink.hpp"

#include <algorithm>

namespace gantry::model {

std::vector<Step> shrink(std::vector<Step> steps, const Fails& fails, std::chrono::steady_clock::duration patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  std::size_t chunk = std::max<std::size_t>(1, steps.size() / 2);
  while (true) {
    bool shorter = false;
    for (std::size_t at = 0; at < steps.size();) {
      if (std::chrono::steady_clock::now() > end) return steps;
      auto fewer = steps;
      const auto from = fewer.begin() + static_cast<std::ptrdiff_t>(at);
      const auto count = std::min(chunk, steps.size() - at);
      fewer.erase(from, from + static_cast<std::ptrdiff_t>(count));
      if (fails(fewer)) {
        steps = std::move(fewer);
        shorter = true;
      } else {
        at += chunk;
      }
    }
    if (chunk == 1 && !shorter) return steps;
    if (!shorter || chunk > 1) chunk = std::max<std::size_t>(1, chunk / 2);
  }
}

}  // namespace gantry::model
