// SPDX-License-Identifier: Apache-2.0
//
// Converts the rows of a view into Nova's host states: from the names and units of the core's columns (driver.h) to
// those of HostState. A number that was never reported is 0, as in a host state that no compute node has updated. Free
// memory and free disk are exceptions: if they were never reported, they are the total minus the used amount. Lists and
// tables that were never reported are empty.
#pragma once

#include <gantry/driver.hpp>
#include <memory>
#include <string>
#include <vector>

#include "hosts/document_cache.hpp"
#include "hosts/host_table.hpp"

namespace filter_driver {

// An instance that this request has already placed. The core's locate() does not find the instance on this row yet.
struct placed_here {
  std::string uuid;
  std::uint32_t row = 0;
};

class view_hosts {
 public:
  // Reads the columns of the view once. Make a new object after append() on the view. `documents` and `placed` must
  // outlive this object.
  view_hosts(gantry::call& call, const gantry::view& view, document_cache& documents,
             const std::vector<placed_here>& placed);
  ~view_hosts();
  view_hosts(const view_hosts&) = delete;
  view_hosts& operator=(const view_hosts&) = delete;

  const host_table& table() const { return table_; }

 private:
  struct columns;
  std::unique_ptr<columns> columns_;
  host_table table_;
};

}  // namespace filter_driver
