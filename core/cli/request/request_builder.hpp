// SPDX-License-Identifier: Apache-2.0
//
// Builds a request for instances from the options of `server create` and `select`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cli/terminal/arguments.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli {

// A built-in flavor, with the sizes of Nova's first installations. Units: vCPUs, MiB, GB.
struct Flavor {
  std::string name;
  std::int64_t vcpus = 1;
  std::int64_t memory_mb = 512;
  std::int64_t root_gb = 1;
  std::int64_t ephemeral_gb = 0;
  std::int64_t swap_mb = 0;
};

std::vector<Flavor> built_in_flavors();
json::object to_json(const Flavor& flavor);

// Returns the options that describe the request, for both commands.
std::vector<Option> request_options();

struct BuiltRequest {
  json::object request_spec;       // Nova's dictionary form, without instance_uuids
  json::object filter_properties;  // {scheduler_hints}
};

// `display_name` may be empty. An unknown flavor needs its sizes in options; without them the error names the nearest
// flavor.
Result<BuiltRequest> build_request(const Arguments& arguments, const std::string& display_name,
                                   const json::object& context);

}  // namespace gantry::cli
