// SPDX-License-Identifier: Apache-2.0
//
// The services of a cell's computes as they were last read. A service's updated_at moves with every heartbeat and tells
// nothing. A refresh asks instead for the few that are disabled or forced down, and for those that are new or deleted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/nova/facts/complaints.hpp"
#include "core/nova/facts/database/connection.hpp"
#include "core/nova/facts/facts.hpp"

namespace gantry::nova {

struct ServiceRow {
  std::int64_t id = 0;
  std::string host;
  bool is_deleted = false;
  std::optional<ServiceFact> fact;  // nullopt: deleted, or the host is passed over
  std::vector<Complaint> complaints;
};

// Reads a row of the table services with the columns of service_columns.
ServiceRow read_service(Row values);

class KnownServices {
 public:
  // The rows that a refresh read, and has not applied.
  struct Read {
    std::vector<ServiceRow> rows;
    bool is_all = false;  // a service that is not among the rows does not exist
  };

  Result<Read> read_all(Connection& connection) const;
  Result<Read> read_changes(Connection& connection, const std::string& since) const;
  // Remembers the rows, and appends to `out` how they differ from those before.
  void apply(Read read, Complaints& complaints, CellFacts& out);

 private:
  void apply(ServiceRow row, CellFacts& out);
  void remove(std::int64_t id, CellFacts& out);
  void keep_successors(CellFacts& out) const;

  std::map<std::int64_t, ServiceFact> known_;  // by the id of the row
  std::set<std::int64_t> flagged_;             // the ids of those in known_ that are disabled or forced down
};

}  // namespace gantry::nova
