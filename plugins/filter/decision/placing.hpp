// SPDX-License-Identifier: Apache-2.0
//
// The NUMA cell resources and PCI devices that an instance takes on its host. They are computed before the pick,
// claimed with the pick, and then shown to the later instances of the same request.
#pragma once

#include <gantry/driver.hpp>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hosts/claimed_resources.hpp"
#include "numa/topology.hpp"
#include "pci/pools.hpp"
#include "rules/filter.hpp"

namespace filter_driver {

// The resources that one pick takes. Owns all its data.
class placing {
 public:
  gantry::claim_items items() const { return {items_.data(), items_.size()}; }
  // Returns true if a resource could not be taken. Nova logs a warning in this case and continues.
  bool failed() const { return failed_; }

 private:
  friend class cell_and_device_use;

  std::list<std::string> names_;  // resource names that items_ refer to
  std::vector<gantry::claim_item> items_;
  std::optional<host_topology> topology_;  // of the host, including the instance
  std::optional<pci_pools> pools_;         // of the host, excluding the devices that the instance takes
  std::optional<instance_topology> instance_;
  bool failed_ = false;
};

// Computes the placings of one request and remembers the resources that its picks have taken.
class cell_and_device_use {
 public:
  // `view` is the request's own view, not a derived one. `call` and `options` must outlive this object.
  cell_and_device_use(gantry::call& call, const gantry::view& view, const settings& options)
      : call_(call), view_(view), options_(options) {}

  // Computes the resources that the instance would take on the row. `limits` are those that the filters set for the
  // row.
  placing place(const host_table& hosts, const request_facts& request, const host_limits& limits, std::uint32_t row);
  // Writes a placing into the derived view and the request, so that later instances see it. Call it after a successful
  // pick if more instances follow.
  void show(const placing& placed, std::uint32_t row, const gantry::view& derived, request_facts& request);

 private:
  using room = std::optional<double>;

  void add(placing& to, std::string resource, double amount, room left, std::uint32_t row);
  void add_cells(placing& to, const host_topology& before, const std::optional<numa_limits>& limits, std::uint32_t row);
  void add_devices(placing& to, const pci_pools& before, std::uint32_t row);
  void write(const gantry::view& derived, std::uint32_t row, const char* column, const boost::json::value& document);
  void clear_claims(const gantry::view& derived, std::uint32_t row, const char* column);

  gantry::call& call_;
  const gantry::view view_;
  const settings& options_;
  std::optional<claimed_resources> claims_;  // in the request's view, read when first needed
  std::map<std::pair<std::uint32_t, std::string>, double> taken_before_;  // by this request: (row, resource) -> amount
};

}  // namespace filter_driver
