// SPDX-License-Identifier: Apache-2.0
//
// The filter driver as gantryd loads it, over the fleet as gantryd keeps it: decisions through the C ABI on one moment.
// What is measured is the driver's select_destinations; the request has been read and laid out before.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/drivers/driver.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/request/request_context.hpp"
#include "core/scheduling/request/request_spec.hpp"
#include "filter_fleet.hpp"

namespace gantry::bench {

struct FilterPolicy {
  std::string name;
  std::vector<std::string> filters;
  std::vector<std::string> columns_to_filter;  // that a decision on the plain request touches
  std::vector<std::string> columns_to_weigh;
  bool keeps_classes = false;  // otherwise each decision goes through all hosts
  bool is_isolated = false;    // in a process of its own; needs fleet::share_cells before the subject is made
};

std::vector<std::string> zed_weighers();
// Of Zed as Nova ships it; of Gantry; all of Zed's.
FilterPolicy zed_defaults();
FilterPolicy gantry_defaults();
FilterPolicy all_of_zed();
// The same, keeping what requests that are alike find.
FilterPolicy keeping(FilterPolicy policy);

class FilterSubject {
 public:
  // A driver for each policy, loaded from `directory`, which others cannot write to. The first one is asked at first.
  FilterSubject(const std::string& directory, const std::vector<FilterPolicy>& policies,
                const FilterFleetSettings& settings);
  ~FilterSubject();
  FilterSubject(const FilterSubject&) = delete;
  FilterSubject& operator=(const FilterSubject&) = delete;

  fleet::Fleet& fleet() { return fleet_; }
  // The view is taken anew: after the fleet has changed.
  void pin();
  void use(std::size_t policy) { used_ = policy; }
  // A versioned RequestSpec.
  void ask(const std::string& spec);
  // Seconds that the driver takes. Gives up where it finds no host.
  double decide() { return run(0); }
  struct Counted {
    double seconds = 0;
    std::uint64_t instances = 0;  // rows without a limit left out
  };
  // The driver counts how many more instances fit.
  Counted count();
  // The hosts in order, as picked and offered for the first instance.
  std::vector<std::uint32_t> order();

  const gantry_column& column(const std::string& name) const;
  std::uint32_t rows() const { return moment_.view("compute")->rows; }

 private:
  double run(std::uint32_t alternates);
  drivers::DriverCallSettings call_settings(drivers::Sink& sink) const;

  fleet::Fleet fleet_{fleet::FleetSettings{}};
  std::vector<drivers::DriverSet> drivers_;  // one for each policy
  std::size_t used_ = 0;
  fleet::Moment moment_;
  scheduling::RequestContext context_;
  std::optional<scheduling::RequestSpec> spec_;
  std::vector<std::uint32_t> chosen_;
};

}  // namespace gantry::bench
