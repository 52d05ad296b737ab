// SPDX-License-Identifier: Apache-2.0
//
// What an instance takes of its host's NUMA cells and PCI pools: worked out before the pick, claimed with it, and shown
// to the instances of the same request that follow.
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

// One pick's share. Refers to nothing.
class placing {
 public:
  gantry::claim_items items() const { return {items_.data(), items_.size()}; }
  // Nova would have warned of something that could not be taken, and gone on.
  bool failed() const { return failed_; }

 private:
  friend class cell_and_device_use;

  std::list<std::string> names_;  // items_ refer to them
  std::vector<gantry::claim_item> items_;
  std::optional<host_topology> topology_;  // of the host, with the instance on it
  std::optional<pci_pools> pools_;         // of the host, without what the instance takes
  std::optional<instance_topology> instance_;
  bool failed_ = false;
};

// During one request.
class cell_and_device_use {
 public:
  // `view`: the request's own. The call and the options outlive this.
  cell_and_device_use(gantry::call& call, const gantry::view& view, const settings& options)
      : call_(call), view_(view), options_(options) {}

  // `limits`: as the filters have left them on the row.
  placing place(const host_table& hosts, const request_facts& request, const host_limits& limits, std::uint32_t row);
  // Once the pick holds, and further instances follow: into the view and the request.
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
  std::optional<claimed_resources> claims_;                               // of the request's view
  std::map<std::pair<std::uint32_t, std::string>, double> taken_before_;  // by this request
};

}  // namespace filter_driver
