// SPDX-License-Identifier: Apache-2.0
//
// The hosts of one topic and their rows: all that is known of them beside the cells in the topic's table. Under the
// fleet's lock.
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
#include "core/fleet/tables/row_claims.hpp"
#include "core/fleet/tables/table_copy.hpp"

namespace gantry::fleet {

struct HostEntry;
struct InstanceRecord;
class TopicHosts;
struct RowState;

constexpr double not_reported = std::numeric_limits<double>::quiet_NaN();

// A claim with pointers to the host that it names and to the row of that host that it is on.
struct ClaimRecord : TrackedClaim {
  std::string consumer_key;         // the consumer, in lower case if it is a UUID
  std::optional<gantry_uuid> uuid;  // the consumer, if it is a UUID
  std::uint64_t sequence = 0;       // number of the record, in the order in which records are made
  // The same consumer's claims on this row that this claim replaced, and the claims that these had replaced, oldest
  // first. The claims that this one replaced come back if this one is given back.
  std::vector<TrackedClaim> replaced;
  TopicHosts* topic = nullptr;
  HostEntry* host = nullptr;
  RowState* row = nullptr;  // nullptr while the host has no such row
};

// One row of the table: a host and one of its nodes, or a host without a node. Owned by the HostEntry.
struct RowState {
  std::uint32_t row = 0;  // index in the table; may change when another row is removed
  EntityId id;
  HostEntry* host = nullptr;
  std::string node;
  bool reported = false;  // the row has a compute node record; false: the row only stands for its host
  Nanoseconds sampled_at = 0;
  Nanoseconds updated_at = 0;
  std::uint32_t report_keys = 0;   // keys of the record's stats
  std::uint32_t report_bytes = 0;  // their length as JSON, about
  TextPointer rest;                // canonical JSON of the record's stats, without those that the row's JSON cells hold
  // The reported vcpus_used, memory_mb_used, local_gb_used, free_ram_mb and free_disk_gb. NaN if not reported.
  std::array<double, 5> use{not_reported, not_reported, not_reported, not_reported, not_reported};
  bool awaits_code = false;            // its set of aggregates has changed since the last copy was made
  std::vector<gantry_uuid> listed;     // instances that the last report lists; sorted
  std::vector<gantry_uuid> instances;  // instances that are listed, claimed or recorded on the row; sorted
  RowClaims claims;
};

// So many of a host's instances have an image with these properties.
struct ImageCount {
  TextPointer properties;  // canonical JSON, interned
  std::uint32_t instances = 0;
};

// Everything known under one host name. Instances, claims and aggregates may name a host that has no row yet.
struct HostEntry {
  std::string host;
  std::unique_ptr<Service> service;
  Nanoseconds heard_at = 0;  // when the service counts as last heard, in steady time; 0: never
  TextPointer capabilities;  // canonical JSON; nullptr if the host has none
  Nanoseconds capabilities_updated_at = 0;
  std::vector<std::int64_t> aggregates;         // ids, ascending
  std::vector<std::int64_t> zoned;              // the ids of aggregates with an availability zone
  std::vector<std::unique_ptr<RowState>> rows;  // sorted by node
  std::vector<InstanceRecord*> residents;       // instances whose record names the host; sorted by uuid
  std::vector<ClaimRecord*> claims;
  std::vector<ImageCount> images;  // of the residents, sorted by text; empty unless they are counted
  std::size_t report_bytes = 0;    // report_bytes of all rows
  TextPointer image_properties;    // the cell that shows `images`; nullptr if these are empty

  // Returns whether the host itself was reported, by a service or by capabilities.
  bool exists() const { return service != nullptr || capabilities != nullptr; }
  bool empty() const { return !exists() && aggregates.empty() && rows.empty() && residents.empty() && claims.empty(); }
  // Returns the row of a node. An empty node means the host's first row in order of node. If the host's only row has no
  // compute node record yet, the row stands for every node. nullptr if there is no such row.
  RowState* resolve(std::string_view node) const;
};

}  // namespace gantry::fleet
