// SPDX-License-Identifier: Apache-2.0
//
// The arguments of create_volume, read from their JSON.
#pragma once

#include <gantry/driver.hpp>
#include <string>
#include <string_view>

namespace volume_driver {

struct volume_request {
  double size_gb = 0;         // above 0
  std::string volume_id;      // empty: not given
  std::string near_instance;  // uuid; empty: anywhere

  std::string error;  // the fault in the arguments; empty: the arguments are valid
};

// {"size": GiB, "volume_id": uuid, "near_instance": uuid} or {"scheduler_hints": {"near_instance": uuid}}.
volume_request read_volume_request(std::string_view args);

// Returns a random uuid of version 4.
std::string random_uuid(gantry::call& call);

std::string reply_json(std::string_view volume_id, std::string_view host, double free_capacity_gb);
std::string cast_json(std::string_view volume_id, double size_gb);

}  // namespace volume_driver
