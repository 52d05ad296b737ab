// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/manifest/manifest_columns.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/drivers/manifest/manifest_rules.hpp"

namespace gantry::drivers {
namespace {

// Adds to `out`, which is one of the two lists.
Result<void> read_list(const ManifestTable& columns, std::string_view key,
                       const std::array<const std::vector<ColumnUse>*, 2>& lists, std::vector<ColumnUse>& out) {
  std::vector<std::string> texts;
  if (Result<void> read = columns.read(key, false, texts); !read) return read;
  for (const std::string& text : texts) {
    ColumnUse column;
    if (const auto refusal = parse_column(text, column)) return columns.wrong(key, refusal->expected, "'" + text + "'");
    for (const auto* list : lists) {
      const auto same = [&](const ColumnUse& other) { return other.name == column.name; };
      if (std::any_of(list->begin(), list->end(), same)) {
        return columns.wrong(key, "each column once, in needs or in uses", "'" + column.name + "' again");
      }
    }
    out.push_back(std::move(column));
  }
  return {};
}

}  // namespace

Result<void> read_columns(const ManifestTable& owner, bool strict, std::vector<ColumnUse>& needs,
                          std::vector<ColumnUse>& uses) {
  const Result<const toml::table*> found = owner.table("columns");
  if (!found) return found.error();
  if (*found == nullptr) return {};
  const ManifestTable columns(**found, owner.full_name("columns") + ".");
  if (strict) {
    if (Result<void> checked = columns.check_keys({"needs", "uses"}); !checked) return checked;
  }
  if (Result<void> read = read_list(columns, "needs", {&needs, &uses}, needs); !read) return read;
  return read_list(columns, "uses", {&needs, &uses}, uses);
}

}  // namespace gantry::drivers
