// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/rows_by_id.hpp"

#include <algorithm>

namespace gantry::nova {

Result<std::vector<std::int64_t>> read_ids(Connection& connection, const std::string& sql) {
  std::vector<std::int64_t> ids;
  auto done = connection.query(sql, [&ids](Row row) {
    if (const auto* id = std::get_if<std::int64_t>(&row[0])) ids.push_back(*id);
  });
  if (!done) return std::move(done).error();
  return ids;
}

Result<void> query_by_id(Connection& connection, const std::string& select, const std::vector<std::int64_t>& ids,
                         const TakeRow& take) {
  constexpr std::size_t at_once = 500;
  for (std::size_t begin = 0; begin < ids.size(); begin += at_once) {
    std::string list;
    for (std::size_t i = begin; i < std::min(begin + at_once, ids.size()); ++i)
      list += (list.empty() ? "" : ", ") + std::to_string(ids[i]);
    auto done = connection.query(select + "id IN (" + list + ")", take);
    if (!done) return done;
  }
  return {};
}

}  // namespace gantry::nova
