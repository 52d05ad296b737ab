// SPDX-License-Identifier: Apache-2.0
//
// The built-in weighers: one file each, this folder. The registry lists them.
#pragma once

#include "rules/by_code.hpp"
#include "rules/weigher.hpp"

namespace filter_driver {

extern const weigher_rule build_failure_weigher;
extern const weigher_rule cpu_weigher;
extern const weigher_rule cross_cell_weigher;
extern const weigher_rule disk_weigher;
extern const weigher_rule io_ops_weigher;
extern const weigher_rule metrics_weigher;
extern const weigher_rule pci_weigher;
extern const weigher_rule ram_weigher;
extern const weigher_rule server_group_soft_affinity_weigher;
extern const weigher_rule server_group_soft_anti_affinity_weigher;

}  // namespace filter_driver
