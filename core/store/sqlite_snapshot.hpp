// SPDX-License-Identifier: Apache-2.0
//
// The documents of a store at one moment, read while another process goes on with the store.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "core/store/sqlite_connection.hpp"
#include "core/store/store.hpp"

namespace gantry::store {

class SqliteSnapshot {
 public:
  // No document.
  SqliteSnapshot() = default;
  // Reads all documents in one transaction. Changes nothing. failed_precondition: the store has another schema than this
  // program's, or is not a store.
  static Result<SqliteSnapshot> read(const std::string& path);

  // The documents of a kind, in the order of keys.
  const std::vector<Document>& of(Kind kind) const { return documents_[static_cast<std::size_t>(kind)]; }
  // Visits each document that the store has and the snapshot has not, or has with another text, and the key of each that
  // only the snapshot has. Removals come first, and without any in the snapshot the order is that of keys. Returns the
  // visitor's error if there is one.
  Result<void> visit_changes(Connection& store, Kind kind, const ChangeVisitor& visit) const;
  // The same for the documents of these keys, which are in their order. A snapshot that was not read visits all.
  Result<void> visit_changes_of(Connection& store, Kind kind, const std::vector<std::string>& keys,
                                const ChangeVisitor& visit) const;
  // Frees the documents of a kind, as if there had been none.
  void forget(Kind kind);

 private:
  static constexpr std::size_t kinds = static_cast<std::size_t>(Kind::heartbeat) + 1;
  // The number of a document's row, and its place in documents_.
  using Row = std::pair<std::int64_t, std::size_t>;

  Result<void> visit_all(Connection& store, Kind kind, const ChangeVisitor& visit) const;
  // Reads both in the order of rows, in which the pages of the file lie.
  Result<void> compare(Connection& store, Kind kind, const ChangeVisitor& visit) const;

  bool is_read_ = false;
  std::array<std::vector<Document>, kinds> documents_;
  std::array<std::vector<Row>, kinds> rows_;  // in the order of their numbers
};

}  // namespace gantry::store
