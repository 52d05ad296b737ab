// SPDX-License-Identifier: Apache-2.0
//
// The CPU socket of a host's NUMA cell, for PCI requests with the NUMA policy "socket".
#pragma once

#include <cstdint>
#include <optional>

namespace filter_driver {

struct cell_socket {
  std::int64_t cell = 0;               // the cell's id
  std::optional<std::int64_t> socket;  // the socket's id. nullopt: the host does not report it
};

}  // namespace filter_driver
