// SPDX-License-Identifier: Apache-2.0
//
// A row of compute_nodes as a fact. Nova's own reading of the row is the measure: what stops Nova's host manager passes
// the host over, what it can do without is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/nova/facts/database/connection.hpp"
#include "core/nova/facts/facts.hpp"

namespace gantry::nova {

struct ComputeNodeRow {
  std::int64_t id = 0;
  std::string host;
  std::string node;
  std::optional<ComputeNodeFact> fact;  // nullopt: the host is passed over
  std::vector<Complaint> complaints;
};

// Reads a row of the table compute_nodes with the columns of compute_node_columns.
ComputeNodeRow read_compute_node(Row row);

}  // namespace gantry::nova
