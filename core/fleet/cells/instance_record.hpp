// SPDX-License-Identifier: Apache-2.0
//
// An instance in little memory. Texts that many instances share are interned: stored once. Under the fleet's lock.
#pragma once

#include "core/fleet/cells/interned_text.hpp"
#include "core/fleet/records/records.hpp"
#include "gantry/driver.h"

namespace gantry::fleet {

// An Instance in packed form. `flavor`, `decision` and `image_properties` are JSON texts, the last a canonical one. An empty text is nullptr.
struct InstanceRecord {
  gantry_uuid uuid{};
  TextPointer project_id, user_id, host, node, availability_zone, vm_state, task_state, flavor, image;  // interned
  TextPointer image_properties;                                                                         // interned
  TextPointer name, fault, request_id, decision;  // of this instance alone
  std::int64_t launch_index = 0;
  Nanoseconds created_at = 0;
  Nanoseconds updated_at = 0;
  Nanoseconds active_at = 0;

  // Returns whether the instance has a host and is not deleted.
  bool placed() const { return host != nullptr && view_of(vm_state) != "deleted"; }
  // Returns whether the server groups of the instance count it, as Nova does: deleted instances are no members, and
  // those that are deleted but can still be restored are none until then.
  bool counts_as_member() const { return view_of(vm_state) != "deleted" && view_of(vm_state) != "soft-delete"; }
};

// Fills `record` from `instance`, all but the uuid.
void pack(const Instance& instance, TextPool& pool, InstanceRecord& record);
Instance unpack(const InstanceRecord& record);

}  // namespace gantry::fleet
