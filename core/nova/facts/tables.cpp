// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/tables.hpp"

namespace gantry::nova {

std::string select_from(const Table& table) {
  std::string sql = "SELECT ";
  // The names are quoted: "key" and "binary" mean something to the server.
  for (const auto column : table.columns) sql += (sql.size() > 7 ? ", `" : "`") + std::string(column) + "`";
  return sql + " FROM `" + std::string(table.name) + "`";
}

}  // namespace gantry::nova
