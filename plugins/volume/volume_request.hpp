// SPDX-License-Identifier: Apache-2.0
//
// The arguments, the result and the cast of create_volume, the volume driver's method.
#pragma once

#include <gantry/driver.hpp>
#include <string>
#include <string_view>

namespace volume_driver {

struct volume_request {
  double size_gb = 0;         // above 0 if the arguments are valid
  std::string volume_id;      // empty: not given
  std::string near_instance;  // the uuid of the instance to be near; empty: anywhere

  std::string error;  // the fault in the arguments; empty: the arguments are valid
};

// Reads {"size": GiB, "volume_id": uuid, "near_instance": uuid}. `near_instance` may also be in scheduler_hints:
// {"scheduler_hints": {"near_instance": uuid}}.
volume_request read_volume_request(std::string_view args);

// Returns a random uuid of version 4.
std::string random_uuid(gantry::call& call);

// Returns the result of create_volume. `free_capacity_gb` is what the volume leaves free on the host.
std::string reply_json(std::string_view volume_id, std::string_view host, double free_capacity_gb);
// Returns the arguments of the cast to the chosen host.
std::string cast_json(std::string_view volume_id, double size_gb);

}  // namespace volume_driver
