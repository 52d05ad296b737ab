// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/change_log.hpp"

namespace gantry::fleet {

// A reader that finds what was written here has also the generation before it: it notices that places were overwritten.
void ChangeLog::put(std::uint64_t generation, std::uint32_t what) {
  latest_.store(generation, std::memory_order_relaxed);
  what_[generation % places].store(what, std::memory_order_release);
}

std::optional<std::size_t> ChangeLog::rows_between(std::uint64_t since, std::uint64_t until, bool with_times,
                                                   std::span<std::uint32_t> rows) const {
  if (since > until || until - since > places) return std::nullopt;
  std::size_t count = 0;
  std::uint32_t before = no_row;
  for (auto generation = since + 1; generation <= until; ++generation) {
    const auto what = what_[generation % places].load(std::memory_order_acquire);
    if (what == any_row) return std::nullopt;
    if (what == no_row || (!with_times && (what & times) != 0)) continue;
    const auto row = what & ~times;
    if (row == before) continue;
    if (count == rows.size()) return std::nullopt;
    rows[count++] = before = row;
  }
  if (latest_.load(std::memory_order_relaxed) > since + places) return std::nullopt;
  return count;
}

}  // namespace gantry::fleet
