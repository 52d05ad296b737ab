// SPDX-License-Identifier: Apache-2.0
#include "filters/capacity.hpp"

#include <gantry/driver/failure.hpp>
#include <string>

namespace filter_driver {

const flavor_facts& flavor_for(std::string_view filter, const question& asked) {
  if (asked.request.flavor) return *asked.request.flavor;
  throw gantry::failure(gantry::code::invalid_argument, std::string(filter) + ": the request has no flavor");
}

double disk_mb_wanted(const question& asked) {
  const auto& flavor = *asked.request.flavor;
  return static_cast<double>(1024 * (flavor.root_gb + flavor.ephemeral_gb) + flavor.swap);
}

}  // namespace filter_driver
