// SPDX-License-Identifier: Apache-2.0
//
// What Gantry's commits are compared with: SQLite's C interface and nothing in front of it, writing the same rows into
// the same tables with the same settings, so many requests' rows to a transaction.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/store/store.hpp"

namespace gantry::bench {

// The rows of one request.
struct Row {
  store::Kind kind;
  std::string key;
  std::string document;
};
using Rows = std::vector<Row>;

// The newest rows of each kind that a running gantryd has stored, those of one request together: the n-th newest of
// every kind. Only kinds of which each request writes one row.
std::vector<Rows> newest_rows(const std::string& path, const std::vector<store::Kind>& kinds, std::size_t most);
// All rows of a kind.
std::vector<Rows> all_rows(const std::string& path, store::Kind kind);

class BareStore {
 public:
  explicit BareStore(const std::string& path);

  struct Committed {
    std::uint64_t requests = 0;
    double seconds = 0;
  };
  // Until `length` is over or, if they are not written `again` and again, `requests` are used up.
  Committed commit(std::vector<Rows> requests, std::size_t in_a_transaction, std::chrono::milliseconds length,
                   bool again);

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Close>;
  void run(const char* sql);
  Statement prepare(const std::string& sql);

  std::unique_ptr<sqlite3, Close> database_;
  Statement begin_;
  Statement commit_;
  std::vector<Statement> puts_;  // by kind
};

}  // namespace gantry::bench
