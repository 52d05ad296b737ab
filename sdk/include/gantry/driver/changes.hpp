// SPDX-License-Identifier: Apache-2.0
//
// Which rows have changed since an earlier view of the topic (ext/changes.h).
#pragma once

#include <gantry/driver.h>
#include <gantry/ext/changes.h>
#include <gantry/driver/call.hpp>
#include <gantry/driver/view.hpp>

#include <cstdint>
#include <vector>

namespace gantry {

class changes {
 public:
  explicit changes(const host& host) noexcept
      : raw_(static_cast<const gantry_changes*>(host.extension(GANTRY_CHANGES_EXTENSION))) {}

  // Fills `rows`, which has the size of the most that are wanted, and cuts it to those that there are. False: it may be
  // any row, or they are more, or this host does not tell. `flags`: GANTRY_CHANGES_*.
  bool rows(call& call, const view& view, std::uint64_t since, std::uint32_t flags,
            std::vector<std::uint32_t>& rows) const {
    std::uint64_t count = 0;
    if (raw_ == nullptr ||
        raw_->rows(call.raw(), &view.raw(), since, flags, rows.data(), rows.size(), &count) != GANTRY_OK)
      return false;
    rows.resize(count);
    return true;
  }

 private:
  const gantry_changes* raw_;
};

}  // namespace gantry
