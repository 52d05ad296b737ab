// SPDX-License-Identifier: Apache-2.0
//
// Reads committed documents over a connection of its own while the writer goes on. Each read is one short transaction,
// so that checkpoints of the write-ahead log are not blocked for long.
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
  // The first read opens the connection.
  explicit SqliteReader(std::string path) : path_(std::move(path)) {}

  // Implements Store::read. [any thread]
  Result<std::vector<Document>> read(Kind kind, std::string_view from, std::size_t limit);

 private:
  Result<std::vector<Document>> read_open(const char* table, std::string_view from, std::size_t limit);

  const std::string path_;
  std::mutex mutex_;
  std::optional<Connection> connection_;
};

}  // namespace gantry::store
