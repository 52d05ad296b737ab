// SPDX-License-Identifier: Apache-2.0
//
// Reads a row of one of Nova's tables. A value that cannot be taken is listed with the reason: "services[3]: disabled:
// expected true or false, found "maybe"; the row is left out".
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/encoding/json.hpp"
#include "core/encoding/text_rules.hpp"

namespace gantry::scheduling {

class ImportedRow {
 public:
  // The object keeps the references.
  ImportedRow(std::string_view table, std::size_t index, const json::object& values, json::array& skipped)
      : table_(table), index_(index), values_(values), skipped_(skipped) {}

  const json::object& values() const { return values_; }

  // Each returns the value of a column. A column that is absent or null is empty, false or 0.
  std::string text(std::string_view key, TextKind kind = TextKind::name);
  std::int64_t time(std::string_view key);
  // 0 to `most`.
  std::int64_t integer(std::string_view key, std::int64_t most = std::numeric_limits<std::int64_t>::max());
  // MySQL's booleans are numbers. nullopt: the value is neither true nor false. The whole row must then be left out.
  std::optional<bool> truth(std::string_view key);

  // Lists a value that is not taken.
  void leave_out(std::string_view key, std::string_view expected, const json::value& found);
  // Lists the whole row as not taken.
  void leave_out(std::string_view why);

 private:
  void list(std::string_view why);

  std::string_view table_;
  std::size_t index_;
  const json::object& values_;
  json::array& skipped_;
};

}  // namespace gantry::scheduling
