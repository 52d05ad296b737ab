// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/complaints.hpp"

namespace gantry::nova {

void Complaints::take(const std::string& table, std::int64_t id, std::vector<Complaint> complaints,
                      std::vector<Complaint>& out) {
  if (complaints.empty()) {
    named_.erase({table, id});
    return;
  }
  auto& named = named_[{table, id}];
  std::set<std::pair<std::string, std::string>> now;
  for (auto& complaint : complaints) {
    now.emplace(complaint.column, complaint.reason);
    complaint.is_new = !named.contains({complaint.column, complaint.reason});
    out.push_back(std::move(complaint));
  }
  named = std::move(now);
}

void Complaints::take(const std::set<std::string>& tables, ByRow rows, std::vector<Complaint>& out) {
  std::erase_if(named_, [&](const auto& row) { return tables.contains(row.first.first) && !rows.contains(row.first); });
  for (auto& [row, complaints] : rows) take(row.first, row.second, std::move(complaints), out);
}

}  // namespace gantry::nova
