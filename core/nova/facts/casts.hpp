// SPDX-License-Identifier: Apache-2.0
//
// The arguments of Nova's casts about aggregates and instances, as values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/fleet/records/records.hpp"
#include "core/result.hpp"

namespace gantry::nova {

// The instances of a host that a cast names.
struct InstanceCast {
  std::string host;
  std::vector<std::string> uuids;  // in lower case
};

// Each fails with `invalid_argument`, and names the argument.
// Read an argument that is one of Nova's objects, a list object, or a list of objects, with or without envelopes.
Result<std::vector<fleet::Aggregate>> read_update_aggregates(const json::object& args);
Result<std::int64_t> read_delete_aggregate(const json::object& args);
Result<InstanceCast> read_update_instance_info(const json::object& args);
Result<InstanceCast> read_delete_instance_info(const json::object& args);
Result<InstanceCast> read_sync_instance_info(const json::object& args);

}  // namespace gantry::nova
