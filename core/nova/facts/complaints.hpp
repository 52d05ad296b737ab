// SPDX-License-Identifier: Apache-2.0
//
// Remembers which rows have been complained of, so that each complaint is new once.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/nova/facts/facts.hpp"

namespace gantry::nova {

class Complaints {
 public:
  // Complaints of rows by table and id. A row that is in order is not in it.
  using ByRow = std::map<std::pair<std::string, std::int64_t>, std::vector<Complaint>>;

  // Says of the complaints of one row which are new, and appends them to `out`. None: the row is in order.
  void take(const std::string& table, std::int64_t id, std::vector<Complaint> complaints, std::vector<Complaint>& out);
  // Does so with whole tables: each of their rows that is not among `rows` is in order.
  void take(const std::set<std::string>& tables, ByRow rows, std::vector<Complaint>& out);

 private:
  // Table and id of a row -> column and reason of each complaint.
  std::map<std::pair<std::string, std::int64_t>, std::set<std::pair<std::string, std::string>>> named_;
};

}  // namespace gantry::nova
