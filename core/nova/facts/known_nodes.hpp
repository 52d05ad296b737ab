// SPDX-License-Identifier: Apache-2.0
//
// The compute nodes of a cell as they were last read. Nova writes a row only when something in it changes, and its times
// have whole seconds. A refresh therefore reads the rows of the last seconds again, and tells by a fingerprint of each
// row which of them differ.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/nova/facts/complaints.hpp"
#include "core/nova/facts/compute_node_row.hpp"

namespace gantry::nova {

class KnownNodes {
 public:
  struct ReadRow {
    std::uint64_t fingerprint = 0;
    std::string updated_at;  // as the server writes it
    ComputeNodeRow row;
  };
  // The rows that a refresh read, and has not applied. Rows that are as they were are not in it.
  struct Read {
    std::vector<ReadRow> rows;
    std::vector<std::int64_t> gone;
  };

  // Adds a row of compute_nodes with the columns of compute_node_columns, unless it is as it was.
  void take(Row values, Read& read) const;
  Result<Read> read_all(Connection& connection) const;
  Result<Read> read_changes(Connection& connection, const std::string& since) const;
  // Appends the rows whose time is not the remembered one, and those that have been removed by hand.
  Result<void> compare(Connection& connection, Read& read) const;
  // Remembers the rows, and appends to `out` how they differ from those before.
  void apply(Read read, Complaints& complaints, CellFacts& out);

 private:
  struct Known {
    std::uint64_t fingerprint = 0;
    std::string updated_at;
    NodeName name;
    bool is_fact = false;  // false: its host is passed over
  };

  void apply(ReadRow read, Complaints& complaints, CellFacts& out);
  void keep_successors(CellFacts& out) const;

  std::unordered_map<std::int64_t, Known> known_;  // by the id of the row
};

}  // namespace gantry::nova
