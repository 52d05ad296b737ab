// SPDX-License-Identifier: Apache-2.0
//
// Owns SQLite's handles and turns its codes into errors. One thread at a time may use a connection and its statements.
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

// A prepared statement. Must end before its connection.
class Statement {
 public:
  Statement(sqlite3_stmt* statement, const std::string& path) : statement_(statement), path_(&path) {}

  // Parameters count from 1. The text must live until the statement is reset.
  Result<void> bind(int parameter, std::string_view text);
  // Returns true if there is a row, false at the end.
  Result<bool> step();
  // Steps a statement without rows, then resets it.
  Result<void> run();
  void reset();

  // Columns count from 0. The text lives until the next step. Its data is nullptr for NULL, and if memory is short.
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
  // The file must exist.
  static Result<Connection> open(const std::string& path);
  static Result<Connection> open_to_read(const std::string& path);

  Result<void> run(const std::string& sql);
  Result<Statement> prepare(const std::string& sql);
  // Returns the integer of a query with one value. 0 if there is no row.
  Result<std::int64_t> ask(const std::string& sql);

  // False also after SQLite has rolled a transaction back by itself.
  bool in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }
  sqlite3* handle() const { return handle_.get(); }
  const std::string& path() const { return *path_; }

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  static Result<Connection> open_with(const std::string& path, int flags);
  Connection(sqlite3* handle, const std::string& path) : path_(std::make_unique<std::string>(path)), handle_(handle) {}

  std::unique_ptr<std::string> path_;  // on the heap, since statements point to the path while the connection moves
  std::unique_ptr<sqlite3, Close> handle_;
};

// Returns SQLite's last error with the path. resource_exhausted: no space is left. unavailable: a retry may succeed.
Error sqlite_error(sqlite3* handle, const std::string& path);

}  // namespace gantry::store
