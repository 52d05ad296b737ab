// SPDX-License-Identifier: Apache-2.0
//
// Facts that SAP's rules share. SAP runs vSphere clusters, one to a host: a shard is a vCenter, an aggregate whose name
// begins with vc-, and a big VM has at least bigvm_mb MiB (sapcc/nova, nova/utils.py and nova/scheduler/utils.py).
#pragma once

#include <gantry/offers.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "request_facts.hpp"
#include "text_list.hpp"

namespace operators::sap {

inline constexpr std::string_view hana_host = "trait:CUSTOM_HANA_EXCLUSIVE_HOST";
inline constexpr std::string_view hypervisor_memory_mb = "stats.hypervisor_memory_mb";
inline constexpr std::string_view memory_mb_max_unit = "stats.memory_mb_max_unit";

inline bool is_baremetal(const gantry::request& request) {
  return request.extra_spec("capabilities:cpu_arch").has_value();
}

// Returns false if the flavor or the image names another hypervisor than vSphere. Reads a plain value of
// capabilities:hypervisor_type, none with an operator.
inline bool is_for_vmware(const gantry::request& request) {
  const auto type = request.extra_spec("capabilities:hypervisor_type").value_or("");
  const auto image_type = request.image_property("img_hv_type").value_or("");
  return !is_baremetal(request) && (type.empty() || type == "VMware vCenter Server") &&
         (image_type.empty() || image_type == "vmware");
}

inline bool is_big_vm(const gantry::request& request, std::int64_t bigvm_mb) {
  return request.memory_mb() >= bigvm_mb && !is_baremetal(request);
}

inline bool is_shard(const gantry_aggregate& aggregate) {
  return gantry::text(aggregate.name).substr(0, 3) == "vc-";
}

// Returns whether test(name) is true for the name of a shard among the aggregates.
template <class Test>
bool any_shard(const gantry::view& view, gantry::span<const std::uint32_t> aggregates, Test test) {
  return std::any_of(aggregates.begin(), aggregates.end(), [&](std::uint32_t index) {
    return is_shard(view.aggregate(index)) && test(gantry::text(view.aggregate(index).name));
  });
}

// Returns the index of a row's first shard.
inline std::optional<std::uint32_t> shard_of(const gantry::view& view, std::uint32_t row) {
  for (const std::uint32_t index : view.sets("aggregates")[row]) {
    if (is_shard(view.aggregate(index))) return index;
  }
  return std::nullopt;
}

// Returns whether the host that the hint source_host names is in the row's first shard.
inline bool shares_shard_with_source(const gantry::view& view, std::uint32_t row, const gantry::request& request) {
  const auto shard = shard_of(view, row);
  const auto source = row_of(view, only_hint(request, "source_host").value_or(""));
  if (!shard || !source) return false;
  for (const std::uint32_t index : view.sets("aggregates")[*source]) {
    if (index == *shard) return true;
  }
  return false;
}

// The tags that Keystone has for projects, each project's as one text, from an option of type table. The site copies the
// tags, and a reload reads the copy.
class project_tags {
 public:
  explicit project_tags(const gantry::options& options) {
    for (const gantry_pair& pair : gantry::each(options.table("project_tags")))
      tags_.emplace(gantry::text(pair.key), gantry::text(pair.value));
  }
  // Returns the tags of a project, separated by commas. Empty: the project has none or is unknown.
  std::string_view of(std::string_view project) const {
    const auto found = tags_.find(project);
    return found == tags_.end() ? std::string_view() : std::string_view(found->second);
  }

 private:
  std::map<std::string, std::string, std::less<>> tags_;
};

}  // namespace operators::sap
