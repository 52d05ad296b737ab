// SPDX-License-Identifier: Apache-2.0
//
// The options of [driver.filter], typed and checked. manifest_options.toml.in declares them. Each member has the name and default
// of its option there.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <gantry/driver/options.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nova/release.hpp"

namespace filter_driver {

// One "name=ratio" of metrics_weight_setting.
struct metric_ratio {
  std::string name;
  double ratio = 0;
};

// Returns the weighers that nova.scheduler.weights.all_weighers stands for, in the order in which their terms are added: by
// the names of Nova's modules, then of the classes. Nova's own order is the order of its directory on the disk.
std::vector<std::string_view> all_weighers(release compatibility);

struct settings {
  release compatibility = release::zed;
  bool ignore_placement_requirements = false;
  std::int64_t request_cache_mib = 256;

  std::vector<std::string> enabled_filters = default_filters();  // class names; one may stand there twice
  std::vector<std::string> weight_classes = default_weighers();  // class names, all_weighers spelled out

  std::int64_t host_subset_size = 1;
  bool shuffle_best_same_weighed_hosts = false;

  double ram_weight_multiplier = 1.0;
  double cpu_weight_multiplier = 1.0;
  double disk_weight_multiplier = 1.0;
  double io_ops_weight_multiplier = -1.0;
  double pci_weight_multiplier = 1.0;
  double soft_affinity_weight_multiplier = 1.0;
  double soft_anti_affinity_weight_multiplier = 1.0;
  double build_failure_weight_multiplier = 1000000.0;  // BuildFailureWeigher negates it
  double cross_cell_move_weight_multiplier = 1000000.0;

  double metrics_weight_multiplier = 1.0;
  std::vector<metric_ratio> metrics_weight_setting;  // a name may stand there twice: both count
  bool metrics_required = true;
  double metrics_weight_of_unavailable = -10000.0;

  std::int64_t max_io_ops_per_host = 8;
  std::int64_t max_instances_per_host = 50;
  std::vector<std::string> isolated_images;
  std::vector<std::string> isolated_hosts;
  bool restrict_isolated_hosts_to_isolated_images = true;
  std::string aggregate_image_properties_isolation_namespace;  // empty: none
  std::string aggregate_image_properties_isolation_separator = ".";
  std::string image_properties_default_architecture;  // empty: none
  bool packing_host_numa_cells_allocation_strategy = false;

  // Icehouse's, for every host; later releases have a ratio on the host state.
  double cpu_allocation_ratio = 16.0;
  double ram_allocation_ratio = 1.5;
  double disk_allocation_ratio = 1.0;

  // No option of the driver: the core's [scheduling] default_availability_zone is in the column availability_zone.
  // Empty: what that column says. A replay of recorded decisions says it here.
  std::string default_availability_zone;

  // The options as the manifest's defaults and the operator give them. `filters` and `weighers` are the class names
  // that there are, those of other libraries among them. Throws gantry::failure, invalid_argument, that names option,
  // expected and found.
  static settings read(const gantry::options& options, std::span<const std::string_view> filters,
                       std::span<const std::string_view> weighers);

  // One option as Nova has it, "filter_scheduler.max_io_ops_per_host" or "metrics.required", with Nova's own leniency;
  // null, Nova's None, changes nothing. False: this is none of the driver's. Throws gantry::failure, invalid_argument,
  // where the value has another type.
  bool set(std::string_view nova_name, const boost::json::value& value);

 private:
  static std::vector<std::string> default_filters();
  static std::vector<std::string> default_weighers();
};

}  // namespace filter_driver
