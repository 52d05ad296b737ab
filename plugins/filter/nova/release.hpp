// SPDX-License-Identifier: Apache-2.0
//
// The release of Nova whose rules the driver follows. Later releases compare greater.
#pragma once

#include <cstdint>

namespace filter_driver {

enum class release : std::uint8_t { icehouse, ocata, zed };

}  // namespace filter_driver
