// SPDX-License-Identifier: Apache-2.0
//
// NUMA topologies and PCI pools of a record: read, and compared with what the driver made.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "numa/topology_json.hpp"
#include "pci/pools.hpp"
#include "pci/requests.hpp"
#include "tests/parity/replay.hpp"

namespace filter_driver::parity {

// What a record holds must be readable: otherwise the replay stops with the reason.
template <class Value>
Value readable(outcome<Value> read) {
  if (!read) throw std::invalid_argument(read.error().sentence);
  return std::move(*read);
}

// A member of the record; null: it has none.
const boost::json::value& member(const boost::json::object& record, std::string_view name);

template <class Value>
const Value* address(const std::optional<Value>& value) {
  return value ? &*value : nullptr;
}

bool packs_cells(const boost::json::object& record);

// What differs, in words; empty: nothing.
std::string difference_of(const std::optional<host_topology>& expected, const std::optional<host_topology>& found);
// Which of a core's threads a vCPU is pinned to does not matter: `host`, which may be null, names the cores.
std::string difference_of(const std::optional<instance_topology>& expected,
                          const std::optional<instance_topology>& found, const host_topology* host);
std::string difference_of(const std::optional<pci_pools>& expected, const std::optional<pci_pools>& found);

std::string difference_of(const std::optional<numa_limits>& expected, const std::optional<numa_limits>& found);

verdict differs(const std::string& why);
// Agreement of a refusal: Nova raised, and so did the driver, with an error of the same class.
verdict compare_raised(const boost::json::object& record, const raised* error);

}  // namespace filter_driver::parity
