// SPDX-License-Identifier: Apache-2.0
//
// Simple: each instance on the least loaded host that has room for it, as Nova's SimpleScheduler meant to.
//
// Candidates are hosts that are up, not disabled, not ignored, among the forced hosts and nodes and the requested
// destination, in the zone that is asked for, and open to a hard affinity or anti-affinity group. A host has room if
// its use plus what the instance takes stays within capacity times allocation ratio for vcpus, memory and disk; these
// products are the limits of the pick. The load of a host is the greatest of the three fractions that would then be in
// use; the least loaded wins, and the first row of the view among equals. A pick's weight is 1 - load.
//
// The amounts that the request's own instances take count for later instances. A host whose claim is lost is not
// tried again in the request.
#include <gantry/driver.hpp>
#include <gantry/driver/capacity.hpp>

#include "placement.hpp"

namespace {

class simple final : public gantry::driver {
 public:
  gantry::code select_destinations(gantry::call& call, const gantry::request& request) override {
    simple_driver::placement placement(call, request);
    return gantry::place_all(call, request, placement);
  }

  gantry::code schedule_run_instance(gantry::call& call, const gantry::request& request) override {
    simple_driver::placement placement(call, request);
    return gantry::place_each(call, request, placement);
  }

  gantry::code count_capacity(gantry::call& call, const gantry::request& request, gantry::row_counts counts) {
    if (request.group() != nullptr)
      return call.fail(gantry::code::unsupported, "the members of a server group depend on each other's hosts");
    simple_driver::placement(call, request).count(counts);
    return gantry::code::ok;
  }
  const void* extension(std::string_view id) noexcept override { return gantry::capacity_extension<simple>(id); }
};

}  // namespace

GANTRY_DRIVER(simple, R"(
id = 'simple'
version = '1.0.0'
description = 'the least loaded host that has room'
license = 'Apache-2.0'
vendor = 'Gantry'
topics = ['compute']
threads = 'reentrant'
[columns]
needs = ['host', 'up', 'disabled', 'vcpus', 'vcpus_used', 'cpu_allocation_ratio', 'memory_mb', 'memory_mb_used',
         'ram_allocation_ratio', 'local_gb', 'local_gb_used', 'disk_allocation_ratio']
uses = ['hypervisor_hostname', 'availability_zone']
)");
