// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/call/derived_view.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/call/distant_fleet.hpp"
#include "core/drivers/call/view_rows.hpp"

namespace gantry::drivers {
namespace {

// Copies the arrays of a column. Returns false if memory has run out.
bool copy_column(DriverCall::State& state, gantry_column& column, std::uint32_t rows) {
  const std::uint64_t words = bitmap_words(rows);
  const std::uint64_t size =
      words * (column.type == GANTRY_TYPE_BOOL ? sizeof(std::uint64_t) : 64 * value_size(column.type));
  auto* values = allocate<std::byte>(state, size);
  auto* validity = allocate<std::uint64_t>(state, words);
  if (values == nullptr || validity == nullptr) return false;
  if (size != 0) std::memcpy(values, column.values, size);
  if (column.validity == nullptr) {
    std::fill_n(validity, words, ~std::uint64_t{0});
    clear_beyond(validity, rows);
  } else {
    std::copy_n(column.validity, words, validity);
  }
  column.values = values;
  column.validity = validity;
  return true;
}

// claims.R exists and is never null, even for a resource without claims.
const gantry_column* make_zeros(DriverCall::State& state, std::string_view name, std::uint32_t rows) {
  auto* column = allocate<gantry_column>(state, 1);
  const std::uint64_t room = bitmap_words(rows) * 64;
  auto* values = allocate<double>(state, room);
  auto* text = allocate<char>(state, name.size());
  if (column == nullptr || values == nullptr || text == nullptr) return nullptr;
  std::fill_n(values, room, 0.0);
  std::copy(name.begin(), name.end(), text);
  *column = gantry_column{};
  column->name = {text, name.size()};
  column->type = GANTRY_TYPE_F64;
  column->struct_size = sizeof(gantry_column);
  column->values = values;
  return column;
}

// Made once for each name and number of rows, because a driver may read the column again for each instance.
const gantry_column* zeros_of(DriverCall::State& state, std::string_view name, std::uint32_t rows) {
  for (const auto& [known_rows, column] : state.zeros) {
    if (known_rows == rows && from_abi(column->name) == name) return column;
  }
  const gantry_column* made = make_zeros(state, name, rows);
  if (made != nullptr) state.zeros.emplace_back(rows, made);
  return made;
}

}  // namespace

DerivedView* find_derived(DriverCall::State& state, const gantry_view& view) {
  for (DerivedView* derived : state.derived) {
    if (&derived->view == &view) return derived;
  }
  return nullptr;
}

std::optional<std::uint32_t> position_of(const gantry_view& view, std::string_view name) {
  for (std::uint32_t position = 0; position < view.column_count; ++position) {
    if (from_abi(column_at(view, position).name) == name) return position;
  }
  return std::nullopt;
}

gantry_code own_column(DriverCall::State& state, DerivedView& derived, std::uint32_t position) {
  if (derived.owned[position]) return GANTRY_OK;
  gantry_column& column = derived.columns[position];
  if (!copy_column(state, column, derived.view.rows)) {
    return state.fail(GANTRY_RESOURCE_EXHAUSTED, "write: expected memory for a copy of column '" +
                                                     sentence_of(column.name) + "', found the call's bound reached");
  }
  derived.owned[position] = true;
  return GANTRY_OK;
}

const gantry_column* find_column(DriverCall::State& state, const gantry_view& view, std::string_view name) {
  const DerivedView* derived = find_derived(state, view);
  const gantry_view& origin = derived == nullptr ? view : *derived->origin;
  const gantry_column* found = state.settings.moment.column(origin, name);
  if (found == nullptr) {
    if (const auto position = position_of(view, name)) return &column_at(view, *position);  // no view of the moment's
    const gantry_column* distant = state.distant == nullptr ? nullptr : state.distant->column(origin, name);
    if (distant != nullptr) return distant;
    return name.starts_with("claims.") ? zeros_of(state, name, view.rows) : nullptr;
  }
  if (derived == nullptr) return found;
  // Columns that the fleet shows only when asked by name stand behind those of a view.
  const auto position = static_cast<std::uint64_t>(found - origin.columns);
  return position < view.column_count ? &derived->columns[position] : found;
}

const gantry_view* derive_view(DriverCall::State& state, const gantry_view& origin) {
  auto* memory = allocate<DerivedView>(state, 1);
  auto* columns = allocate<gantry_column>(state, origin.column_count);
  auto* owned = allocate<bool>(state, origin.column_count);
  auto* lists = allocate<OwnList>(state, origin.column_count);
  if (memory == nullptr || columns == nullptr || owned == nullptr || lists == nullptr) return nullptr;
  auto* derived = new (memory) DerivedView;
  std::memcpy(&derived->view, &origin, std::min<std::size_t>(origin.struct_size, sizeof(gantry_view)));
  for (std::uint32_t position = 0; position < origin.column_count; ++position) {
    columns[position] = column_at(origin, position);
    owned[position] = false;
    lists[position] = {};
  }
  derived->columns = columns;
  derived->owned = owned;
  derived->lists = lists;
  derived->view.struct_size = sizeof(gantry_view);
  derived->view.generation = 0;
  derived->view.columns = columns;
  derived->view.column_stride = sizeof(gantry_column);
  derived->origin = &origin;
  if (const DerivedView* parent = find_derived(state, origin)) {
    derived->origin = parent->origin;
    // A later write to the parent's own arrays must not change this view.
    for (std::uint32_t position = 0; position < origin.column_count; ++position) {
      if (!parent->owned[position]) continue;
      if (!copy_column(state, columns[position], origin.rows)) return nullptr;
      owned[position] = true;
    }
  }
  state.derived.push_back(derived);
  return &derived->view;
}

}  // namespace gantry::drivers
