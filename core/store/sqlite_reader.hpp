// SPDX-License-Identifier: Apache-2.0
//
// Reads committed documents while the writer goes on, through a connection of its own. A read blocks checkpoints of the
// write-ahead log, so each read is one short transaction.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/store/sqlite_connection.hpp"
#include "core/store/store.hpp"

namespace gantry::store {

class SqliteReader {
 public:
  // Opens nothing yet: the first read opens the connection.
  explicit SqliteReader(std::string path) : path_(std::move(path)) {}

  // Implements Store::read. [any thread]
  Result<std::vector<Document>> read(Kind kind, std::string_view from, std::size_t limit);

  // Closes the connection. The next read opens another one. [any thread]
  void close();

 private:
  // Reads through the open connection.
  Result<std::vector<Document>> read_open(const char* table, std::string_view from, std::size_t limit);

  const std::string path_;
  std::mutex mutex_;
  std::optional<Connection> connection_;
};

}  // namespace gantry::store
