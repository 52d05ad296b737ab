// SPDX-License-Identifier: Apache-2.0
//
// Owns SQLite's handles and turns SQLite's result codes into errors. One thread at a time may use a connection and its
// statements.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace gantry::store {

// The longest wait of a connection for a lock that another connection holds.
inline constexpr int busy_milliseconds = 5000;

// A prepared statement. Must be destroyed before its connection.
class Statement {
 public:
  Statement(sqlite3_stmt* statement, const std::string& path) : statement_(statement), path_(&path) {}

  // Sets a parameter of the statement. Parameters count from 1. The text must live until the statement is reset.
  Result<void> bind(int parameter, std::string_view text);
  Result<void> bind_bytes(int parameter, std::string_view bytes);
  Result<void> bind_integer(int parameter, std::int64_t number);
  // Goes to the next row of the result. Returns false if there is no further row.
  Result<bool> step();
  // Runs a statement that returns no rows, then resets it.
  Result<void> run();
  // Makes the statement ready for another run and clears its parameters.
  void reset();

  // Return the value of a column in the present row. Columns count from 0. A text lives until the next step or reset.
  // Its data() is nullptr if the value is NULL or memory has run out.
  std::string_view text(int column) const;
  std::string_view bytes(int column) const;
  std::int64_t integer(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const std::string* path_;
};

// An open database. May move while statements exist. No trigger and no view of the file acts.
class Connection {
 public:
  // Opens an existing file for reading and writing.
  static Result<Connection> open(const std::string& path);
  // Opens an existing file for reading only.
  static Result<Connection> open_to_read(const std::string& path);
  // Opens an existing file for reading only that is not written to meanwhile: without locks, and without a file beside it.
  static Result<Connection> open_immutable(const std::string& path);

  // Runs one or more SQL statements and ignores their rows.
  Result<void> run(const std::string& sql);
  Result<Statement> prepare(const std::string& sql);
  // Runs a query for one integer and returns the integer. 0 if the query finds no row.
  Result<std::int64_t> ask(const std::string& sql);

  // Returns whether a transaction is open. After some errors SQLite rolls the transaction back by itself: false then.
  bool in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }
  sqlite3* handle() const { return handle_.get(); }
  const std::string& path() const { return *path_; }

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  // `name`: the path, or a URI of SQLite that leads to it.
  static Result<Connection> open_with(const std::string& path, const std::string& name, int flags);
  Connection(sqlite3* handle, const std::string& path) : path_(std::make_unique<std::string>(path)), handle_(handle) {}

  std::unique_ptr<std::string> path_;  // on the heap, because statements point to the text and the connection may move
  std::unique_ptr<sqlite3, Close> handle_;
};

// Refuses rows in which key and document together have more bytes.
void limit_documents(Connection& connection, std::size_t bytes);

// Returns the connection's last error with the path. resource_exhausted: disk space or memory has run out. unavailable:
// a retry may succeed.
Error sqlite_error(sqlite3* handle, const std::string& path);

}  // namespace gantry::store
