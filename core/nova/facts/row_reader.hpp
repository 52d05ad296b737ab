// SPDX-License-Identifier: Apache-2.0
//
// Reads the columns of one row. The first value that cannot be taken is kept as the row's fault.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/nova/facts/database/connection.hpp"
#include "core/nova/facts/tables.hpp"

namespace gantry::nova {

// A text of more bytes than this is not taken. Nova's own texts are a hundred times smaller.
inline constexpr std::size_t max_text_bytes = std::size_t{1} << 20;

struct Fault {
  std::string column;
  std::string reason;
};

class RowReader {
 public:
  // The object keeps the references. The row has the table's columns.
  RowReader(const Table& table, Row row) : table_(table), row_(row) {}

  const Value& value(std::string_view column) const;
  bool is_null(std::string_view column) const { return std::holds_alternative<std::monostate>(value(column)); }

  // Each returns the value of a column. NULL is 0, false, empty or never.
  std::int64_t integer(std::string_view column);
  bool truth(std::string_view column);
  std::string text(std::string_view column);   // UTF-8
  std::string name(std::string_view column);   // a text by the rule of names
  std::int64_t time(std::string_view column);  // nanoseconds since 1970 UTC

  std::int64_t id();  // 1 or more
  bool is_deleted() { return truth("deleted"); }

  void set_fault(std::string_view column, std::string reason);
  const std::optional<Fault>& fault() const { return fault_; }

 private:
  const Table& table_;
  Row row_;
  std::optional<Fault> fault_;
};

}  // namespace gantry::nova
