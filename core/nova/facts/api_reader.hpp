// SPDX-License-Identifier: Apache-2.0
//
// Reads Nova's API database: cells, host mappings and aggregates, all of it, and then again and again what has changed.
// The reader remembers what it has answered, so it outlives a connection. It is used by one thread at a time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/nova/facts/complaints.hpp"
#include "core/nova/facts/database/connection.hpp"
#include "core/nova/facts/facts.hpp"
#include "core/nova/facts/tables.hpp"

namespace gantry::nova {

// The rows of the database as facts.
struct ApiRows {
  std::vector<Cell> cells;                           // all but cell0
  std::map<std::string, HostMapping> host_mappings;  // by host
  std::map<std::int64_t, fleet::Aggregate> aggregates;
  Complaints::ByRow complaints;

  // Takes a row of one of api_tables with the table's columns. The aggregates come before their hosts and metadata.
  void take(const Table& table, Row values);
};

class ApiReader {
 public:
  // Returns all facts of the database. If it fails, the reader is as it was.
  Result<ApiFacts> load(Connection& connection);

  // Returns what differs from the answers before, as it was at one moment of this call. Depth::changes asks for
  // aggregates alone. If it fails, the next refresh returns the differences of both, over another connection if need be.
  Result<ApiFacts> refresh(Connection& connection, Depth depth);

 private:
  struct Known {
    std::string aggregates_sum;  // tells by its text whether the tables of aggregates have changed
    ApiRows rows;
  };

  Result<void> read(Connection& connection, bool is_whole, Known& read) const;
  ApiFacts apply(Known read, bool is_whole);

  Known known_;
  Complaints complaints_;
  bool is_loaded_ = false;
};

// Returns the URL of a cell's database. A template is filled from [database] connection of nova.conf.
Result<DatabaseUrl> url_of(const Cell& cell, std::string_view database_connection);

}  // namespace gantry::nova
