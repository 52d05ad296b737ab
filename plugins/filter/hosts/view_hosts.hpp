// SPDX-License-Identifier: Apache-2.0
//
// A view's rows as Nova's host states. Names and units are the core's columns' on one side (driver.h), HostState's on
// the other. A number that was never reported is 0, as in a host state that no compute node has updated; only what is free
// of memory and disk is worked out of what is used. Lists and tables that were never reported are empty.
#pragma once

#include <gantry/driver.hpp>
#include <memory>
#include <string>
#include <vector>

#include "hosts/document_cache.hpp"
#include "hosts/host_table.hpp"

namespace filter_driver {

// An instance of this request that has a host already, which the core's own view does not show.
struct placed_here {
  std::string uuid;
  std::uint32_t row = 0;
};

class view_hosts {
 public:
  // Reads the columns of the view once: after append() another one is needed. `documents` and `placed` outlive this.
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
