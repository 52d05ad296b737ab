// SPDX-License-Identifier: Apache-2.0
//
// SQLite's handles, owned, and its codes as errors. A connection and its statements belong to one thread at a time.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace gantry::store {

// A connection waits for so long for a lock that another one holds.
inline constexpr int busy_milliseconds = 5000;

// A prepared statement. Lives no longer than its connection.
class Statement {
 public:
  Statement(sqlite3_stmt* statement, const std::string& path) : statement_(statement), path_(&path) {}

  // The text must stay until the statement is reset. Parameters count from 1.
  Result<void> bind(int parameter, std::string_view text);
  // True: a row is there. False: done.
  Result<bool> step();
  // Steps a statement that gives no rows, then makes it ready for the next use.
  Result<void> run();
  void reset();

  // Columns count from 0; the text stays until the next step. Data of nullptr: NULL, or no memory to hold it.
  std::string_view text(int column) const;
  std::int64_t integer(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const std::string* path_;
};

class Connection {
 public:
  // The file must be there.
  static Result<Connection> open(const std::string& path);
  static Result<Connection> open_to_read(const std::string& path);

  Result<void> run(const std::string& sql);
  Result<Statement> prepare(const std::string& sql);
  // The one integer that a query gives; 0 if it gives no row.
  Result<std::int64_t> ask(const std::string& sql);

  // False also when SQLite has rolled a transaction back by itself.
  bool in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }
  sqlite3* handle() const { return handle_.get(); }
  const std::string& path() const { return *path_; }

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  static Result<Connection> open_with(const std::string& path, int flags);
  Connection(sqlite3* handle, const std::string& path) : path_(std::make_unique<std::string>(path)), handle_(handle) {}

  std::unique_ptr<std::string> path_;  // on the heap: statements point to it while the connection moves
  std::unique_ptr<sqlite3, Close> handle_;
};

// What SQLite just refused, with the path in front: no space is resource_exhausted, what may pass is unavailable.
Error sqlite_error(sqlite3* handle, const std::string& path);

}  // namespace gantry::store
