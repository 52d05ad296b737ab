// SPDX-License-Identifier: Apache-2.0
//
// The NUMA cell resources and PCI devices that an instance takes on its host. The driver computes these resources
// before the pick and claims them with the pick. The later instances of the same request then see the resources as
// taken.
#pragma once

#include <gantry/driver.hpp>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hosts/claimed_resources.hpp"
#include "hosts/host_documents.hpp"
#include "numa/topology.hpp"
#include "pci/pools.hpp"
#include "pci/requests.hpp"
#include "rules/filter.hpp"

namespace filter_driver {

// The wishes of a request for NUMA cells and PCI devices.
struct cell_and_device_wishes {
  std::optional<instance_topology> topology;
  pci_requests devices;

  // A part that cannot be read counts as not wished.
  explicit cell_and_device_wishes(const request_facts& request);
  bool any() const { return topology || !devices.empty(); }
};

// Reads the row's documents. One that cannot be read counts as not reported.
host_documents documents_on(const host_table& hosts, std::uint32_t row);

// The resources that one pick takes. Owns all its data.
class placing {
 public:
  // Returns the resources to claim with the pick.
  gantry::claim_items items() const { return {items_.data(), items_.size()}; }
  // Returns true if some of the resources could not be taken from the host. The pick goes on nevertheless, as in Nova,
  // which only logs a warning.
  bool failed() const { return failed_; }
  // The host's documents with the instance's use included, as a claim of the items shows them. nullptr: as before.
  const host_topology* topology() const { return topology_ && instance_ ? &*topology_ : nullptr; }
  const pci_pools* pools() const { return pools_ && !items_.empty() ? &*pools_ : nullptr; }

 private:
  friend class cell_and_device_use;

  std::list<std::string> names_;  // resource names that items_ refer to
  std::vector<gantry::claim_item> items_;
  // Each is nullopt if the host or the request has none.
  std::optional<host_topology> topology_;      // the host's topology, with the instance's use included
  std::optional<pci_pools> pools_;             // the host's pools, without the devices that the instance takes
  std::optional<instance_topology> instance_;  // the instance's topology, fitted to the host's cells
  bool failed_ = false;
};

// Computes the placings of one request and remembers the resources that its picks have taken.
class cell_and_device_use {
 public:
  // `view` is the request's own view, not a derived one. `call` and `options` must outlive this object.
  cell_and_device_use(gantry::call& call, const gantry::view& view, const settings& options)
      : call_(call), view_(view), options_(options) {}

  // Computes the resources that the instance would take on the row. `limits` has the limits that the
  // filters set for the row. `providers`: those of the candidate that is claimed, as in pci_placement.
  placing place(const host_table& hosts, const request_facts& request, const host_limits& limits, std::uint32_t row,
                const request_providers* providers);
  // The same for what was read already. `host` has the documents of the row.
  placing place(const cell_and_device_wishes& wishes, host_documents host, const std::optional<numa_limits>& limits,
                const host_table& hosts, std::uint32_t row, const request_providers* providers = nullptr);
  // Returns whether the core would claim the items on the row, after the placings that were taken.
  bool fits(const placing& placed, std::uint32_t row);
  // From now on counts the items as claimed on the row.
  void take(const placing& placed, std::uint32_t row);
  // Counts no more of what was taken before.
  void forget_taken() { taken_before_.clear(); }
  // Takes the placing. Writes the host's remaining resources into the row of the derived view, and the instance's fitted topology into the
  // request, for the later instances. Call it after a successful pick if more instances follow.
  void show(const placing& placed, std::uint32_t row, const gantry::view& derived, request_facts& request);

 private:
  // The amount of a resource that is left to claim. nullopt if the amount has no limit.
  using room = std::optional<double>;

  double claimed(std::string_view resource, std::uint32_t row);
  void add(placing& to, std::string resource, double amount, room left, std::uint32_t row);
  void add_cells(placing& to, const host_topology& before, const std::optional<numa_limits>& limits, std::uint32_t row);
  void add_devices(placing& to, const pci_pools& before, std::uint32_t row);
  void write(const gantry::view& derived, std::uint32_t row, const char* column, const boost::json::value& document);
  void clear_claims(const gantry::view& derived, std::uint32_t row, const char* column);

  gantry::call& call_;
  const gantry::view view_;
  const settings& options_;
  std::optional<claimed_resources> claims_;  // the claims that view_ shows, read when first needed
  std::map<std::pair<std::uint32_t, std::string>, double> taken_before_;  // by this request: (row, resource) -> amount
};

}  // namespace filter_driver
