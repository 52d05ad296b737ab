// SPDX-License-Identifier: Apache-2.0
//
// Which socket a NUMA cell of the host lies on, as PCI requests with the policy "socket" ask.
#pragma once

#include <cstdint>
#include <optional>

namespace filter_driver {

struct cell_socket {
  std::int64_t cell = 0;
  std::optional<std::int64_t> socket;  // none: the host does not say
};

}  // namespace filter_driver
