// SPDX-License-Identifier: Apache-2.0
//
// The part of a decision that takes the amounts of a placed instance from its host, for the instances after it.
#include <algorithm>
#include <string>

#include "decision/decision.hpp"

namespace filter_driver {

// Takes the same amounts as Nova's consume_from_request. The root disk counts for volume-backed instances too. Swap
// does not count. From Zed on local_gb_used grows by what Nova claims at placement.
void decision::consume(std::uint32_t instance, std::uint32_t row, const placing& taken) {
  if (!is_derived_) {
    view_ = call_.derive(view_);
    is_derived_ = true;
  }
  const auto& flavor = *facts_.flavor;
  const auto add = [&](const char* name, double amount) {
    const auto column = view_.find<gantry::column<double>>(name);
    if (!column || !column->has(row)) return;
    call_.write<double>(view_, name)[row] += amount;
  };
  const auto memory_mb = static_cast<double>(flavor.memory_mb);
  const auto disk_gb = static_cast<double>(flavor.root_gb) + static_cast<double>(flavor.ephemeral_gb);
  add("vcpus_used", static_cast<double>(flavor.vcpus));
  add("free_ram_mb", -memory_mb);
  add("memory_mb_used", memory_mb);
  add("free_disk_gb", -disk_gb);
  const bool by_placement = rules_.options().compatibility->placement_judges_resources;
  add("local_gb_used", by_placement ? facts_.disk_gb_to_allocate() : disk_gb);
  add("claims.instances", 1);
  const auto least = view_.find<gantry::column<std::int64_t>>("disk_available_least");
  if (least && least->has(row))
    call_.write<std::int64_t>(view_, "disk_available_least")[row] -= flavor.root_gb + flavor.ephemeral_gb;
  const auto uuids = request_.instance_uuids();
  if (instance < uuids.count) {
    if (const auto uuid = gantry::parse_uuid(gantry::text(uuids.items[instance])))
      call_.append(view_, "instances", row, *uuid);
  }
  use_.show(taken, row, view_, facts_);
  // Nova does not count an I/O operation for an instance whose NUMA cells or PCI devices could not be taken.
  const auto io_ops = view_.find<gantry::column<std::int64_t>>("stats.io_workload");
  if (taken.failed() && io_ops && io_ops->has(row)) call_.write<std::int64_t>(view_, "stats.io_workload")[row] -= 1;
  // An instance without a uuid counts too, under a name made from its index.
  const auto uuid = instance < uuids.count ? std::string(gantry::text(uuids.items[instance]))
                                           : "instance " + std::to_string(instance);
  consumed_.push_back({uuid, row});
  if (facts_.group) {
    auto& group = *facts_.group;
    group.hosts->emplace_back(hosts_->table().host[row].value_or(""));
    if (group.is_joined && std::find(group.members->begin(), group.members->end(), uuid) == group.members->end())
      group.members->push_back(uuid);
  }
  read_hosts(view_);
}

}  // namespace filter_driver
