// SPDX-License-Identifier: Apache-2.0
//
// What [driver.filter] sets, under Nova's names and with Nova's defaults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace filter_driver {

enum class release { icehouse, ocata, zed };

struct settings {
  release compatibility = release::zed;

  double cpu_allocation_ratio = 16.0;  // Icehouse's CoreFilter and the others' fallback
  double ram_allocation_ratio = 1.5;
  double disk_allocation_ratio = 1.0;

  std::string default_availability_zone = "nova";
  std::int64_t max_io_ops_per_host = 8;
  std::int64_t max_instances_per_host = 50;
  std::vector<std::string> isolated_images;
  std::vector<std::string> isolated_hosts;
  bool restrict_isolated_hosts_to_isolated_images = true;
  std::optional<std::string> aggregate_image_properties_isolation_namespace;
  std::string aggregate_image_properties_isolation_separator = ".";
  std::optional<std::string> image_properties_default_architecture;
  bool packing_host_numa_cells_allocation_strategy = false;

  double ram_weight_multiplier = 1.0;
  double cpu_weight_multiplier = 1.0;
  double disk_weight_multiplier = 1.0;
  double io_ops_weight_multiplier = -1.0;
  double pci_weight_multiplier = 1.0;
  double metrics_weight_multiplier = 1.0;
  double soft_affinity_weight_multiplier = 1.0;
  double soft_anti_affinity_weight_multiplier = 1.0;
  double build_failure_weight_multiplier = 1000000.0;
  double cross_cell_move_weight_multiplier = 1000000.0;

  std::vector<std::string> metrics_weight_setting;  // "name=ratio"
  bool metrics_required = true;
  double metrics_weight_of_unavailable = -10000.0;

  std::int64_t host_subset_size = 1;
  bool shuffle_best_same_weighed_hosts = false;
  std::int64_t max_attempts = 3;
};

}  // namespace filter_driver
