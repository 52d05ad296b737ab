// SPDX-License-Identifier: Apache-2.0
//
// The rows that have changed since an earlier view of the topic (ext/changes.h).
#pragma once

#include <gantry/driver.h>
#include <gantry/ext/changes.h>
#include <gantry/driver/call.hpp>
#include <gantry/driver/view.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace gantry {

// The host's extension "gantry.changes/1". A host may lack the extension.
class changes {
 public:
  explicit changes(const host& host) noexcept
      : raw_(static_cast<const gantry_changes*>(host.extension(GANTRY_CHANGES_EXTENSION))) {}

  // Returns the rows of `view` that changed since the generation `since` of the topic's view, in the call's scratch
  // memory. nullopt if any row may have changed, if more than `most` rows changed, if `view` is a derived view, or if
  // the host lacks the extension. `flags`: GANTRY_CHANGES_*.
  std::optional<span<std::uint32_t>> rows(call& call, const view& view, std::uint64_t since, std::uint32_t flags,
                                          std::size_t most) const {
    if (raw_ == nullptr) return std::nullopt;
    const auto room = call.scratch<std::uint32_t>(most);
    std::uint64_t count = 0;
    if (raw_->rows(call.raw(), &view.raw(), since, flags, room.data(), room.size(), &count) != GANTRY_OK)
      return std::nullopt;
    return span<std::uint32_t>{room.data(), static_cast<std::size_t>(count)};
  }

 private:
  const gantry_changes* raw_;
};

}  // namespace gantry
