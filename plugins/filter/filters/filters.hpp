// SPDX-License-Identifier: Apache-2.0
//
// The built-in filters: one file each, this folder. The registry lists them.
#pragma once

#include "by_code.hpp"
#include "filter.hpp"

namespace filter_driver {

extern const filter_rule all_hosts_filter;
extern const filter_rule availability_zone_filter;
extern const filter_rule core_filter;

}  // namespace filter_driver
