// SPDX-License-Identifier: Apache-2.0
//
// A host's PCI devices as Nova's scheduler sees them: pools of devices that are alike, each with the number of
// its free devices.
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

// A key of a pool or of a request's specification, with its value, prepared for Nova's comparison.
struct pci_value {
  std::string key;
  boost::json::value value;
  std::string lowered;  // the value in lower case if it is a text
};

// Devices that are alike.
struct pci_pool {
  std::vector<pci_value> values;          // vendor_id, product_id, numa_node and the tags: every field except the count
  std::int64_t count = 0;                 // free devices
  std::optional<std::int64_t> numa_node;  // nullopt: the devices belong to no NUMA cell
  bool is_pf = false;                     // physical functions: dev_type type-PF
  bool is_vdpa = false;                   // dev_type vdpa
  bool remote_managed = false;            // the tag remote_managed is true
  bool has_provider = false;              // the tag rp_uuid is there
  std::string provider;                   // rp_uuid. Empty if it is another value than a text

  // Returns the value of `key`. nullptr if the pool has no such key.

  const pci_value* find(std::string_view key) const {
    for (const pci_value& value : values) {
      if (value.key == key) return &value;
    }
    return nullptr;
  }
};

using pci_pools = std::vector<pci_pool>;

// Returns the key and its value, prepared for Nova's comparison.
pci_value comparable(std::string_view key, const boost::json::value& value);
// Returns whether bool_from_string of oslo.utils takes the value for true: true, 1, or a text among 1, t, true, on, y,
// yes in any case. False for nullptr.
bool is_true_text(const boost::json::value* value);

// Reads pools in one of two forms: compute_nodes.pci_stats, which is a PciDevicePoolList, or flat objects, in a list or
// in {"pools": [...]}. A value that is a text is parsed as JSON first. The pools are ordered by their number of keys,
// as Nova orders them on loading. Returns nullopt for null: the host reports no pools, which differs from an empty
// list.
outcome<std::optional<pci_pools>> read_pci_pools(const boost::json::value& value);
// Returns the pools as a PciDevicePoolList, a versioned object of Nova's.
boost::json::value to_json(const pci_pools& pools);
// Returns the pools as flat objects, each with its tags beside the other fields.
boost::json::array to_flat_json(const pci_pools& pools);

}  // namespace filter_driver
