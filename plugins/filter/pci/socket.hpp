// SPDX-License-Identifier: Apache-2.0
//
// The socket of a host's NUMA cell, for PCI requests with the policy "socket".
#pragma once

#include <cstdint>
#include <optional>

namespace filter_driver {

struct cell_socket {
  std::int64_t cell = 0;
  std::optional<std::int64_t> socket;  // empty: the host does not report it
};

}  // namespace filter_driver
