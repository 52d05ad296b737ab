// SPDX-License-Identifier: Apache-2.0
//
// A host's PCI devices as Nova's scheduler sees them: pools of devices that are alike, each with its count.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "python/outcome.hpp"

namespace filter_driver {

// The largest number of devices that a pool or a request may name.
inline constexpr std::int64_t most_pci_devices = 1'000'000'000;

// A value of a pool or of a request's specification, prepared for Nova's comparison.
struct pci_value {
  std::string key;
  boost::json::value value;
  std::string lowered;  // the value in lower case if it is a text
};

struct pci_pool {
  std::vector<pci_value> values;  // vendor_id, product_id, numa_node and the tags: every field except the count
  std::int64_t count = 0;
  std::optional<std::int64_t> numa_node;
  bool is_pf = false;    // dev_type type-PF
  bool is_vdpa = false;  // dev_type vdpa
  bool remote_managed = false;

  const pci_value* find(std::string_view key) const {
    for (const pci_value& value : values) {
      if (value.key == key) return &value;
    }
    return nullptr;
  }
};

using pci_pools = std::vector<pci_pool>;

pci_value comparable(std::string_view key, const boost::json::value& value);
// Returns whether oslo.utils' bool_from_string takes the text for true: 1, t, true, on, y, yes in any case.
bool is_true_text(const boost::json::value* value);

// Reads compute_nodes.pci_stats (a PciDevicePoolList) and flat pools ({"pools": [...]} or a bare list). The pools are
// ordered by their number of keys, as Nova orders them on loading. A JSON text is parsed first. Null gives an empty
// optional, which differs from an empty list.
outcome<std::optional<pci_pools>> read_pci_pools(const boost::json::value& value);
// Returns the pools as a PciDevicePoolList.
boost::json::value to_json(const pci_pools& pools);
// Returns the pools as flat objects.
boost::json::array to_flat_json(const pci_pools& pools);

}  // namespace filter_driver
