// SPDX-License-Identifier: Apache-2.0
//
// The facts of a Nova deployment as its databases have them, in the words of the fleet. A load finds all facts, a refresh
// finds those that differ from the last answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/fleet/records/records.hpp"

namespace gantry::nova {

// A value of a row that cannot be taken.
struct Complaint {
  std::string table;
  std::int64_t id = 0;  // the row's
  std::string column;
  std::string reason;
  std::string host;  // as far as the row says
  std::string node;
  bool passes_host_over = false;  // false: the value alone is left out, as Nova leaves it out
  bool is_new = true;             // false: an earlier answer has named it already
};

// Returns "compute_nodes id 7 (host h1, node n1): column stats: ...; the host is passed over".
std::string text_of(const Complaint& complaint);

// A row of cell_mappings.
struct Cell {
  std::int64_t id = 0;
  std::string uuid;
  std::string name;
  bool is_disabled = false;
  // The cell's database_connection, perhaps a template. It holds a password: neither log nor show it.
  std::string connection;
};

struct HostMapping {
  std::int64_t id = 0;
  std::string host;
  std::int64_t cell_id = 0;  // id of a Cell
};

// A row of services with the binary nova-compute.
struct ServiceFact {
  std::int64_t id = 0;
  fleet::Service service;    // its topic is compute
  std::int64_t version = 0;  // the service's code has this version
};

struct Heartbeat {
  std::string host;
  fleet::Nanoseconds last_seen_up = 0;
  std::uint64_t report_count = 0;
};

struct ComputeNodeFact {
  std::int64_t id = 0;
  fleet::ComputeNode node;  // its topic is compute
};

struct NodeName {
  std::string host;
  std::string node;
};

struct InstanceFact {
  std::string uuid;
  std::string host;
  // The properties of its image, by name. nullopt: they were not read.
  std::optional<json::object> image_properties = {};
};

// Facts of the API database. A fact that is gone is not among the others.
struct ApiFacts {
  bool has_cells = false;   // false: the cells are as they were
  std::vector<Cell> cells;  // all but cell0
  std::vector<HostMapping> host_mappings;
  std::vector<std::string> host_mappings_gone;
  std::vector<fleet::Aggregate> aggregates;
  std::vector<std::int64_t> aggregates_gone;
  std::vector<Complaint> complaints;
};

// Facts of a cell's database. A fact that is gone is not among the others.
struct CellFacts {
  std::vector<ServiceFact> services;  // new, or different in more than the heartbeat
  std::vector<std::string> services_gone;
  std::vector<Heartbeat> heartbeats;
  std::vector<ComputeNodeFact> compute_nodes;
  std::vector<NodeName> compute_nodes_gone;  // deleted, or passed over
  std::vector<InstanceFact> instances;
  std::vector<std::string> instances_gone;  // uuids: deleted, or without a host
  // Complaints of the rows that were read. A row that was passed over and is in order again is among the facts.
  std::vector<Complaint> complaints;
};

// How much a refresh asks for.
enum class Depth {
  changes,  // rows that say of themselves that they have changed; the flags of services. For each request
  whole,    // in addition heartbeats, and changes that leave no trace in their row. Every few seconds
};

}  // namespace gantry::nova
