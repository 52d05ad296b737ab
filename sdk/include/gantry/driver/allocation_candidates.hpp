// SPDX-License-Identifier: Apache-2.0
//
// The allocation candidates of a request: which providers can serve its groups on each row. ext/candidates.h
// describes the fields of gantry_candidates. call.candidates() returns them.
#pragma once

#include <gantry/driver.h>
#include <gantry/ext/candidates.h>
#include <gantry/driver/text.hpp>

#include <cstdint>
#include <string_view>

namespace gantry {

// Refers to the host's data.
class allocation_candidates {
 public:
  explicit allocation_candidates(const gantry_candidates& raw) noexcept : raw_(&raw) {}

  std::uint32_t groups() const noexcept { return raw_->group_count; }
  std::string_view group(std::uint32_t group) const noexcept { return text(raw_->groups[group]); }
  std::string_view provider(std::uint32_t provider) const noexcept { return text(raw_->providers[provider]); }
  // Returns how many groups the provider can serve at most.
  std::uint32_t room(std::uint32_t provider) const noexcept { return raw_->rooms[provider]; }
  // Returns the numbers of the row's sets.
  gantry_slice sets_of(std::uint32_t row) const noexcept { return raw_->rows[row]; }
  // Returns the providers that the set has for the group.
  span<const std::uint32_t> choices(std::uint32_t set, std::uint32_t group) const noexcept {
    const gantry_slice& slice = raw_->sets[std::uint64_t{set} * raw_->group_count + group];
    return {raw_->choices + slice.begin, slice.count};
  }

  // Returns whether the providers, one for each group, are a candidate of the row.
  bool contains(std::uint32_t row, span<const std::uint32_t> chosen) const noexcept {
    if (chosen.size() != raw_->group_count) return false;
    const gantry_slice sets = sets_of(row);
    for (std::uint32_t set = sets.begin; set < sets.begin + sets.count; ++set) {
      if (set_contains(set, chosen)) return true;
    }
    return false;
  }

 private:
  bool set_contains(std::uint32_t set, span<const std::uint32_t> chosen) const noexcept {
    for (std::uint32_t group = 0; group < raw_->group_count; ++group) {
      bool is_choice = false;
      for (const std::uint32_t each : choices(set, group)) is_choice = is_choice || each == chosen[group];
      if (!is_choice) return false;
      std::uint32_t uses = 0;
      for (const std::uint32_t each : chosen) uses += each == chosen[group] ? 1 : 0;
      if (uses > room(chosen[group])) return false;
    }
    return true;
  }

  const gantry_candidates* raw_;
};

}  // namespace gantry
