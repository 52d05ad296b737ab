// SPDX-License-Identifier: Apache-2.0
//
// Reads a cell's database: all of it, and then again and again what has changed. The reader remembers what it has
// answered, so it outlives a connection. It is used by one thread at a time.
#pragma once

#include <chrono>
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
  // Returns all facts of the cell. If it fails, the reader is as it was. Over `beside`, services are read at the same
  // time as the rest. nullptr: after one another.
  Result<CellFacts> load(Connection& connection, Connection* beside = nullptr);

  // Returns what differs from the answers before. Nodes and instances are as they were at one moment of this call, services
  // as they were at a moment of it. If it fails, the next refresh returns the differences of both, over another connection
  // if need be. Also reads all instances of `hosts`.
  Result<CellFacts> refresh(Connection& connection, Depth depth, std::span<const std::string> hosts = {},
                            Connection* beside = nullptr);
  // From now on reads what the images of instances are, of all instances with the next load or refresh. A database that
  // refuses the table of them is complained of, and its instances are without images.
  void read_images() { images_ = images_ == Images::not_wanted ? Images::wanted : images_; }
  // Returns the names of all hosts that had instances.
  std::vector<std::string> hosts_with_instances() const { return known_.instances.hosts(); }

 private:
  using Clock = std::chrono::steady_clock;

  enum class Images { not_wanted, wanted, known, refused };

  struct Reads {
    KnownServices::Read services;
    KnownNodes::Read nodes;
    KnownInstances::Read instances;
    Images images = Images::not_wanted;
    std::string refusal;  // why the database refuses the images
  };
  struct Known {
    KnownServices services;
    KnownNodes nodes;
    KnownInstances instances;
  };

  // Reads the images of the instances in `reads`. If no images are known, reads all instances, unless `reads` has them.
  Result<void> add_images(Connection& connection, Depth depth, bool has_all, Reads& reads) const;
  static Result<void> read_all(Connection& connection, const Known& known, Reads& reads);
  static Result<void> read_changes(Connection& connection, const Known& known, Depth depth, const std::string& since,
                                   Reads& reads);
  CellFacts apply(Reads reads);

  Known known_;
  Complaints complaints_;
  Images images_ = Images::not_wanted;
  std::string refusal_;  // as Reads::refusal
  std::string since_;    // literal of the time from which on changes are asked for; empty: nothing is loaded
  Clock::time_point since_read_at_;
};

}  // namespace gantry::nova
