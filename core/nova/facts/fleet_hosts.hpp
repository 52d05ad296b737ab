// SPDX-License-Identifier: Apache-2.0
//
// The services and compute nodes of all cells, as the fleet is to show them. A host name may stand in two cells: an
// enabled cell wins over a disabled one, and a later cell over an earlier one, as in Nova. A host without a service of a
// nova-compute is held back.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/fleet/fleet.hpp"
#include "core/nova/facts/fact_snapshot.hpp"
#include "core/nova/facts/facts.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

// Used by one thread at a time.
class FleetHosts {
 public:
  // The arguments outlive the object.
  FleetHosts(fleet::Fleet& fleet, telemetry::Logger& log) : fleet_(fleet), log_(log) {}

  void add_cell(const Cell& cell);
  // Takes the cell's hosts out of the fleet.
  void remove_cell(std::int64_t cell);
  // Puts a cell's facts into the fleet. Adds to `changed` the hosts whose compute nodes have changed.
  void apply(std::int64_t cell, const CellFacts& facts, std::set<std::string>& changed);

  std::vector<KnownNode> nodes() const;  // disabled cells come first, then the order is the one of cell_mappings
  // Returns whether a node was added, removed or renamed since the last call.
  bool take_renamed() { return std::exchange(is_renamed_, false); }
  std::vector<std::string> nodes_of(const std::string& host) const;
  // Returns the last cell that has a service or a node of the host.
  std::optional<std::int64_t> cell_of(const std::string& host) const;
  std::size_t services_of(const Cell& cell) const;
  // Returns the lowest service version over all cells, as RequestLookups has it.
  std::int64_t lowest_version() const { return lowest_version_; }
  const std::set<std::string>& without_service() const { return without_service_; }
  const std::set<std::string>& in_two_cells() const { return in_two_cells_; }

 private:
  using Name = std::pair<std::string, std::string>;  // host, node
  using Rank = std::pair<bool, std::int64_t>;        // whether the cell is enabled, its id
  struct Node {
    std::string uuid;
    std::optional<fleet::ComputeNode> held_back;  // the record, while the fleet does not show it
  };
  struct OfCell {
    std::string uuid;
    std::string name;
    std::map<std::string, fleet::Service> services;  // by host
    std::map<std::string, std::int64_t> versions;    // by host
    std::map<Name, Node> nodes;
  };
  using Cells = std::map<Rank, OfCell>;

  Cells::iterator find_cell(std::int64_t id);
  const fleet::Service* service_of(const std::string& host) const;
  static bool has_node(const OfCell& cell, const std::string& host);
  void settle_service(const std::string& host);
  void settle_host(const std::string& host);
  void settle_node(const Name& name);
  void hide(const Name& name);
  void settle_version();
  void beat(OfCell& cell, const Heartbeat& heartbeat);
  void put_node(OfCell& cell, const fleet::ComputeNode& node);
  void remove_node(OfCell& cell, const Name& name);

  fleet::Fleet& fleet_;
  telemetry::Logger& log_;
  Cells cells_;
  std::map<Name, Rank> shown_;             // the cell whose record the fleet shows
  std::set<std::string> without_service_;  // hosts with a node
  std::set<std::string> in_two_cells_;
  std::int64_t lowest_version_ = 0;
  bool is_renamed_ = true;
};

}  // namespace gantry::nova
