// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/request_group.hpp"

#include <algorithm>
#include <array>

#include "core/nova/request/python_text.hpp"

namespace gantry::nova {

namespace {

// os-resource-classes 1.1.0, which Zed comes with.
constexpr std::array<std::string_view, 21> standard_classes = {
    "VCPU",
    "MEMORY_MB",
    "DISK_GB",
    "PCI_DEVICE",
    "SRIOV_NET_VF",
    "NUMA_SOCKET",
    "NUMA_CORE",
    "NUMA_THREAD",
    "NUMA_MEMORY_MB",
    "IPV4_ADDRESS",
    "VGPU",
    "VGPU_DISPLAY_HEAD",
    "NET_BW_EGR_KILOBIT_PER_SEC",
    "NET_BW_IGR_KILOBIT_PER_SEC",
    "PCPU",
    "MEM_ENCRYPTION_CONTEXT",
    "FPGA",
    "PGPU",
    "NET_PACKET_RATE_KILOPACKET_PER_SEC",
    "NET_PACKET_RATE_EGR_KILOPACKET_PER_SEC",
    "NET_PACKET_RATE_IGR_KILOPACKET_PER_SEC",
};

bool is_resource_class(std::string_view name) {
  return name.starts_with("CUSTOM_") ||
         std::find(standard_classes.begin(), standard_classes.end(), name) != standard_classes.end();
}

}  // namespace

void RequestGroup::add_resource(std::string_view resource_class, std::string_view amount) {
  if (!is_resource_class(resource_class)) return;
  auto number = python_int(amount);
  if (number && !number->starts_with('-')) resources.insert_or_assign(std::string(resource_class), *std::move(number));
}

void RequestGroup::add_trait(std::string_view trait, std::string_view type) {
  if (type == "required") required_traits.emplace(trait);
  if (type == "forbidden") forbidden_traits.emplace(trait);
}

void RequestGroup::remove_zero_amounts() {
  std::erase_if(resources, [](const auto& entry) { return entry.second == "0"; });
}

bool RequestGroup::is_empty() const {
  return resources.empty() && required_traits.empty() && forbidden_traits.empty() && aggregates.empty() &&
         forbidden_aggregates.empty();
}

}  // namespace gantry::nova
