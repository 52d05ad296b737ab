// SPDX-License-Identifier: Apache-2.0
//
// The options of [driver.filter], typed and checked. manifest_options.toml.in declares them. Each member has the name
// and default of its option there.
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

// One "name=ratio" of metrics_weight_setting or image_props_weight_setting.
struct named_ratio {
  std::string name;
  double ratio = 0;
};

// Returns the names of the weighers that nova.scheduler.weights.all_weighers stands for in this release. They are
// sorted by the names of Nova's modules, then of the classes. A host's weight is added up in this order. Nova itself
// takes the modules in the order in which the file system lists its directory.
std::vector<std::string_view> all_weighers(release compatibility);

// The value of each option.
struct settings {
  release compatibility = release::all.front();
  bool strict_parity = false;
  bool ignore_placement_requirements = false;
  std::int64_t request_cache_mib = 256;

  std::vector<std::string> enabled_filters = default_filters();  // class names; a name may occur twice
  std::vector<std::string> weight_classes = default_weighers();  // class names, with all_weighers expanded

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
  double hypervisor_version_weight_multiplier = 1.0;
  double num_instances_weight_multiplier = 0.0;
  double image_props_weight_multiplier = 0.0;
  std::vector<named_ratio> image_props_weight_setting;  // by property; the last of a name counts

  double metrics_weight_multiplier = 1.0;
  std::vector<named_ratio> metrics_weight_setting;  // a name may occur twice, and both count
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

  // The ratios of every host by Icehouse's rules. Later releases take the ratios from each host state.
  double cpu_allocation_ratio = 16.0;
  double ram_allocation_ratio = 1.5;
  double disk_allocation_ratio = 1.0;

  // Not an option of the driver: the zone of hosts without a zone of their own, set by a replay of recorded decisions.
  // Empty: take the zone from the column availability_zone, where the core writes [scheduling]
  // default_availability_zone for hosts without a zone.
  std::string default_availability_zone;

  // Returns the options from the manifest's defaults and the operator's values. `filters` and `weighers` are all
  // known class names, including those of other libraries. Throws gantry::failure, invalid_argument, if a value is
  // wrong. The sentence names the option, the expected value and the found value.
  static settings read(const gantry::options& options, std::span<const std::string_view> filters,
                       std::span<const std::string_view> weighers);

  // Sets one option by its Nova name, "filter_scheduler.max_io_ops_per_host" or "metrics.required", as leniently as
  // Nova. Null, Nova's None, changes nothing. Returns false if the driver does not have the option. Throws
  // gantry::failure, invalid_argument, if the value has another type.
  bool set(std::string_view nova_name, const boost::json::value& value);

 private:
  static std::vector<std::string> default_filters();
  static std::vector<std::string> default_weighers();
};

}  // namespace filter_driver
