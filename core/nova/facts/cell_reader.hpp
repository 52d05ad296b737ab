// SPDX-License-Identifier: Apache-2.0
//
// Reads a cell's database: all of it, and then again and again what has changed. The reader remembers what it has
// answered, so it outlives a connection. It is used by one thread at a time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/nova/facts/complaints.hpp"
#include "core/nova/facts/facts.hpp"
#include "core/nova/facts/known_instances.hpp"
#include "core/nova/facts/known_nodes.hpp"
#include "core/nova/facts/known_services.hpp"

namespace gantry::nova {

class CellReader {
 public:
  // Returns all facts of the cell. If it fails, the reader is as it was.
  Result<CellFacts> load(Connection& connection);

  // Returns what differs from the answers before, as it was at one moment of this call. If it fails, the next refresh
  // returns the differences of both, over another connection if need be. Also reads all instances of `hosts`.
  Result<CellFacts> refresh(Connection& connection, Depth depth, std::span<const std::string> hosts = {});
  // Returns the names of all hosts that had instances.
  std::vector<std::string> hosts_with_instances() const { return known_.instances.hosts(); }

 private:
  struct Reads {
    KnownServices::Read services;
    KnownNodes::Read nodes;
    KnownInstances::Read instances;
  };
  struct Known {
    KnownServices services;
    KnownNodes nodes;
    KnownInstances instances;
  };

  static Result<void> read_all(Connection& connection, const Known& known, Reads& reads);
  static Result<void> read_changes(Connection& connection, const Known& known, Depth depth, const std::string& since,
                                   Reads& reads);
  CellFacts apply(Reads reads);

  Known known_;
  Complaints complaints_;
  std::string since_;  // literal of the time from which on changes are asked for; empty: nothing is loaded
};

}  // namespace gantry::nova
