// SPDX-License-Identifier: Apache-2.0
//
// The rows whose reports list an instance. Under the fleet's lock.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <unordered_map>

#include "core/fleet/cells/uuid_hash.hpp"
#include "core/fleet/tables/row_state.hpp"

namespace gantry::fleet {

class ListedInstances {
 public:
  void add(const gantry_uuid& instance, RowState& row);
  void remove(const gantry_uuid& instance, const RowState& row);
  // Returns the row that lists the instance. Of several, the first by host and node. nullptr if there is none.
  RowState* find(const gantry_uuid& instance) const;

 private:
  boost::unordered_flat_map<gantry_uuid, RowState*, UuidHash, UuidEqual> rows_;
  std::unordered_multimap<gantry_uuid, RowState*, UuidHash, UuidEqual> further_rows_;  // while an instance moves
};

}  // namespace gantry::fleet
