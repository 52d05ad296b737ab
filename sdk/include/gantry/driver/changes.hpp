// SPDX-License-Identifier: Apache-2.0
//
// Which rows have changed since an earlier view of the topic (ext/changes.h).
#pragma once

#include <gantry/driver.h>
#include <gantry/ext/changes.h>
#include <gantry/driver/call.hpp>
#include <gantry/driver/view.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace gantry {

class changes {
 public:
  explicit changes(const host& host) noexcept
      : raw_(static_cast<const gantry_changes*>(host.extension(GANTRY_CHANGES_EXTENSION))) {}

  // The rows, in the call's scratch memory. None: it may be any row, or they are more than `most`, or this host does not
  // tell. `flags`: GANTRY_CHANGES_*.
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
