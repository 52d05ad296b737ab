// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/manifest/offer_kinds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/drivers/abi/known_part.hpp"
#include "gantry/ext/filter.h"
#include "gantry/ext/weigher.h"

namespace gantry::drivers {
namespace {

constexpr std::array<std::string_view, 2> kinds = {GANTRY_FILTER_KIND, GANTRY_WEIGHER_KIND};

template <class Table>
Result<void> check_begin(const Table& table, std::uint32_t known_flags, const std::string& subject) {
  if (table.struct_size < first_size<Table>) {
    return refuse(subject, {"table struct_size", "at least " + std::to_string(first_size<Table>),
                            std::to_string(table.struct_size), rebuild_advice});
  }
  if ((table.flags & ~known_flags) != 0) {
    return refuse(subject, {"table flags", "bits of " + std::to_string(known_flags), std::to_string(table.flags),
                            "leave what has no name 0"});
  }
  return {};
}

using Operation = std::pair<std::string_view, bool>;
Result<void> check_operations(const std::array<Operation, 3>& mandatory, const std::string& subject) {
  for (const auto& [name, is_there] : mandatory) {
    if (is_there) continue;
    return refuse(subject, {"table", "the mandatory operation " + std::string(name), "NULL", "implement it"});
  }
  return {};
}

Result<void> check_filter(const gantry_filter_ops& table, const std::string& subject) {
  constexpr std::uint32_t flags = GANTRY_FILTER_ONCE_PER_REQUEST | GANTRY_FILTER_ON_REBUILD;
  if (Result<void> checked = check_begin(table, flags, subject); !checked) return checked;
  return check_operations(
      {{{"create", table.create != nullptr}, {"destroy", table.destroy != nullptr}, {"keep", table.keep != nullptr}}},
      subject);
}

Result<void> check_weigher(const gantry_weigher_ops& table, const std::string& subject) {
  if (Result<void> checked = check_begin(table, 0, subject); !checked) return checked;
  if (!std::isfinite(table.multiplier)) {
    return refuse(subject, {"table multiplier", "a finite number", std::to_string(table.multiplier)});
  }
  return check_operations(
      {{{"create", table.create != nullptr}, {"destroy", table.destroy != nullptr}, {"weigh", table.weigh != nullptr}}},
      subject);
}

}  // namespace

bool is_offer_kind(std::string_view kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

std::string offer_kinds_text() {
  std::string text;
  for (const std::string_view kind : kinds) text.append(text.empty() ? "" : ", ").append(kind);
  return text;
}

Result<void> check_offer_table(std::string_view kind, const void* table, const std::string& subject) {
  if (table == nullptr) return refuse(subject, {"table", "that of a " + std::string(kind), "NULL", rebuild_advice});
  if (kind == GANTRY_FILTER_KIND) return check_filter(*static_cast<const gantry_filter_ops*>(table), subject);
  return check_weigher(*static_cast<const gantry_weigher_ops*>(table), subject);
}

}  // namespace gantry::drivers
