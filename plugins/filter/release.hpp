// SPDX-License-Identifier: Apache-2.0
//
// The release of Nova whose rules the driver follows, where releases differ.
#pragma once

namespace filter_driver {

enum class release { icehouse, ocata, zed };

}  // namespace filter_driver
