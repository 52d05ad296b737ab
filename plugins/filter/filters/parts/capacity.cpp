// SPDX-License-Identifier: Apache-2.0
#include "filters/parts/capacity.hpp"

#include <gantry/driver/failure.hpp>
#include <string>

namespace filter_driver {

const flavor_facts& flavor_for(std::string_view filter, const question& asked) {
  if (asked.request.flavor) return *asked.request.flavor;
  throw gantry::failure(gantry::code::invalid_argument, std::string(filter) + ": the request has no flavor");
}

bool judges_as_placement(const question& asked) {
  return asked.options.compatibility->placement_judges_resources;
}

double disk_mb_wanted(const question& asked) {
  if (judges_as_placement(asked)) return 1024 * asked.request.disk_gb_to_allocate();
  const auto& flavor = *asked.request.flavor;
  const auto gib = static_cast<double>(flavor.root_gb) + static_cast<double>(flavor.ephemeral_gb);
  return 1024 * gib + static_cast<double>(flavor.swap);
}

}  // namespace filter_driver
