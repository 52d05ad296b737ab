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

// The size of an instance under a name. Memory and swap are in MiB, disks in GB.
struct Flavor {
  std::string name;
  std::int64_t vcpus = 1;
  std::int64_t memory_mb = 512;
  std::int64_t root_gb = 1;
  std::int64_t ephemeral_gb = 0;
  std::int64_t swap_mb = 0;
};

// Returns the flavors m1.tiny to m1.xlarge, with the sizes of Nova's first installations.
std::vector<Flavor> built_in_flavors();
json::object to_json(const Flavor& flavor);

// Returns the flavor of that name, with the sizes that options give in place of its own. A flavor that is not built in
// needs sizes in options. Without sizes, the error names the built-in flavor with the most similar name. No name and no
// sizes: the first built-in flavor.
Result<Flavor> flavor_of(const Arguments& arguments, const std::string& name);

// Returns the option --flavor, and the options that give sizes.
Option flavor_option();
std::vector<Option> size_options();

// Returns the pairs KEY=VALUE of a repeated option. `lists`: a key given again makes a list.
Result<json::object> pairs_of(const Arguments& arguments, const std::string& option, bool lists);

// Returns the command-line options that describe a request. Both commands have them.
std::vector<Option> request_options();

// The two arguments of select_destinations that describe a request.
struct BuiltRequest {
  json::object request_spec;       // in Nova's form of a dictionary, without instance_uuids
  json::object filter_properties;  // with scheduler_hints alone
};

// Builds a request. `display_name` may be empty. `context` gives project_id and user_id. A flavor that is not built in
// needs sizes in options. Without sizes, the error names the built-in flavor with the most similar name.
Result<BuiltRequest> build_request(const Arguments& arguments, const std::string& display_name,
                                   const json::object& context);

}  // namespace gantry::cli
