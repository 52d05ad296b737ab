// SPDX-License-Identifier: Apache-2.0
//
// The release of Nova whose rules the driver follows: Icehouse (April 2014), Ocata (February 2017) or Zed (October
// 2022). Later releases compare greater.
#pragma once

#include <cstdint>

namespace filter_driver {

enum class release : std::uint8_t { icehouse, ocata, zed };

}  // namespace filter_driver
