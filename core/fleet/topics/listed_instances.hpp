// SPDX-License-Identifier: Apache-2.0
//
// For each instance, the rows whose last reports list the instance. Under the fleet's lock.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <unordered_map>
#include <vector>

#include "core/fleet/cells/uuid_hash.hpp"
#include "core/fleet/tables/row_state.hpp"

namespace gantry::fleet {

class ListedInstances {
 public:
  void add(const gantry_uuid& instance, RowState& row);
  void remove(const gantry_uuid& instance, const RowState& row);
  // Returns the row that lists the instance: of several rows, the first in order of host and node. nullptr if no row
  // does.
  RowState* find(const gantry_uuid& instance) const;
  std::vector<const RowState*> all(const gantry_uuid& instance) const;

 private:
  boost::unordered_flat_map<gantry_uuid, RowState*, UuidHash, UuidEqual> rows_;  // the row that find() returns
  // The other rows of an instance that several rows list, as happens while the instance moves.
  std::unordered_multimap<gantry_uuid, RowState*, UuidHash, UuidEqual> further_rows_;
};

}  // namespace gantry::fleet
