// SPDX-License-Identifier: Apache-2.0
//
// The hosts of one topic and their rows, beside the cells of the topic's table. Under the fleet's lock.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/fleet/cells/interned_text.hpp"
#include "core/fleet/records/records.hpp"
#include "core/fleet/records/tracked_claim.hpp"
#include "core/fleet/tables/table_copy.hpp"

namespace gantry::fleet {

struct HostEntry;
struct InstanceRecord;
class TopicHosts;
struct RowState;

constexpr double not_reported = std::numeric_limits<double>::quiet_NaN();

// A claim, attached to the host that it names and to that host's row, if there is one.
struct ClaimRecord : TrackedClaim {
  std::string consumer_key;            // the consumer; a UUID in lower case
  std::optional<gantry_uuid> uuid;     // if the consumer is one
  std::uint64_t sequence = 0;          // grows with each record made
  std::vector<TrackedClaim> replaced;  // oldest first: the last is held again if this claim is given back
  TopicHosts* topic = nullptr;
  HostEntry* host = nullptr;
  RowState* row = nullptr;
};

// One row: a (host, node or none). Owned by its host's entry.
struct RowState {
  std::uint32_t row = 0;
  EntityId id;
  HostEntry* host = nullptr;
  std::string node;
  bool reported = false;  // whether the row has a compute node record; without one the row is the host's own
  Nanoseconds sampled_at = 0;
  Nanoseconds updated_at = 0;
  TextPointer rest;  // canonical JSON of the record's stats, without the values that are JSON cells of the row
  // The reported vcpus_used, memory_mb_used, local_gb_used, free_ram_mb and free_disk_gb. NaN if not reported.
  std::array<double, 5> use{not_reported, not_reported, not_reported, not_reported, not_reported};
  std::vector<gantry_uuid> listed;     // instances in the last report; sorted
  std::vector<gantry_uuid> instances;  // instances that are listed, claimed or recorded here; sorted
  std::vector<ClaimRecord*> claims;    // sorted by consumer
};

// Everything known under one host name. A host may have no row yet: instances, claims and aggregates wait for one.
struct HostEntry {
  std::string host;
  std::unique_ptr<Service> service;
  TextPointer capabilities;  // canonical JSON; nullptr: none
  Nanoseconds capabilities_updated_at = 0;
  std::vector<std::int64_t> aggregates;         // ids, rising
  std::vector<std::unique_ptr<RowState>> rows;  // sorted by node
  std::vector<InstanceRecord*> residents;       // sorted by uuid
  std::vector<ClaimRecord*> claims;

  bool exists() const { return service != nullptr || capabilities != nullptr; }
  bool empty() const { return !exists() && aggregates.empty() && rows.empty() && residents.empty() && claims.empty(); }
  // Returns the row of that node. Without a node: the host's own or first row. Any node of a host that has not reported
  // its nodes yet: the host's only row. nullptr if there is no row.
  RowState* resolve(std::string_view node) const;
};

}  // namespace gantry::fleet
