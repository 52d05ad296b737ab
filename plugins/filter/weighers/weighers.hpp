// SPDX-License-Identifier: Apache-2.0
//
// The built-in weighers: one file each, this folder. The registry lists them.
#pragma once

#include "by_code.hpp"
#include "weigher.hpp"

namespace filter_driver {

extern const weigher_rule ram_weigher;

}  // namespace filter_driver
