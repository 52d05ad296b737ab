// SPDX-License-Identifier: Apache-2.0
//
// A store as an older gantry made it.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>

namespace gantry::test {

// Makes a store of schema 1. `rows`: SQL that puts documents into its tables, each of which has a key and a document.
inline void make_schema_1(const std::string& path, const std::string& rows) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  std::string sql = "PRAGMA journal_mode=WAL; BEGIN;";
  for (const char* table : {"services", "compute_nodes", "capabilities", "aggregates", "server_groups", "instances",
                            "claims", "casts", "idempotency_keys"})
    sql += std::string("CREATE TABLE ") + table + " (key TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT;";
  sql += rows + ";PRAGMA application_id=1197559412; PRAGMA user_version=1; COMMIT";
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
  sqlite3_close(handle);
}

}  // namespace gantry::test
