// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <new>
#include <optional>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/abi/known_part.hpp"
#include "core/drivers/call/derived_view.hpp"
#include "core/drivers/call/host_services.hpp"
#include "core/drivers/call/view_rows.hpp"
#include "core/encoding/uuid.hpp"

namespace gantry::drivers {
namespace {

// Gives the column arrays of its own. false: no memory.
bool copy_column(DriverCall::State& state, gantry_column& column, std::uint32_t rows) {
  const std::uint64_t words = bitmap_words(rows);
  const std::uint64_t size =
      column.type == GANTRY_TYPE_BOOL ? words * sizeof(std::uint64_t) : rows * value_size(column.type);
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

// claims.R is never null, also for a resource that nothing has claimed yet.
const gantry_column* make_zeros(DriverCall::State& state, std::string_view name, std::uint32_t rows) {
  auto* column = allocate<gantry_column>(state, 1);
  auto* values = allocate<double>(state, rows);
  auto* text = allocate<char>(state, name.size());
  if (column == nullptr || values == nullptr || text == nullptr) return nullptr;
  std::fill_n(values, rows, 0.0);
  std::copy(name.begin(), name.end(), text);
  *column = gantry_column{};
  column->name = {text, name.size()};
  column->type = GANTRY_TYPE_F64;
  column->values = values;
  return column;
}

// Once for each name and number of rows: a driver may ask again for each instance that it places.
const gantry_column* zeros_of(DriverCall::State& state, std::string_view name, std::uint32_t rows) {
  for (const auto& [known_rows, column] : state.zeros) {
    if (known_rows == rows && from_abi(column->name) == name) return column;
  }
  const gantry_column* made = make_zeros(state, name, rows);
  if (made != nullptr) state.zeros.emplace_back(rows, made);
  return made;
}

template <class T>
gantry_code check_out(DriverCall::State& state, const char* what, const T& out) {
  if (out.struct_size >= first_size<T>) return GANTRY_OK;
  return state.fail(GANTRY_INVALID_ARGUMENT, std::string(what) + ": expected struct_size of at least " +
                                                 std::to_string(first_size<T>) + ", found " +
                                                 std::to_string(out.struct_size));
}

const gantry_column* column(gantry_call* call, const gantry_view* view, gantry_string name) {
  if (call == nullptr || view == nullptr) return nullptr;
  return find_column(*DriverCall::State::of(call), *view, from_abi(name));
}

const gantry_view* view(gantry_call* call, gantry_string topic) {
  if (call == nullptr) return nullptr;
  const DriverCallSettings& settings = DriverCall::State::of(call)->settings;
  if (settings.view == nullptr) return nullptr;
  if (from_abi(settings.view->topic) == from_abi(topic)) return settings.view;
  return settings.moment.view(from_abi(topic));
}

gantry_string copy_text(DriverCall::State& state, std::string_view text) {
  auto* const copy = allocate<char>(state, text.size());
  if (copy == nullptr) return {};
  std::copy(text.begin(), text.end(), copy);
  return {copy, text.size()};
}

void add_facts(DriverCall::State& state, std::string_view uuid, gantry_location& location) {
  if (!state.settings.instance_facts) return;
  const auto facts = state.settings.instance_facts(uuid);
  if (!facts) return;
  location.flavor = copy_text(state, facts->flavor);
  location.project_id = copy_text(state, facts->project_id);
  location.vm_state = copy_text(state, facts->vm_state);
}

gantry_code locate(gantry_call* call, gantry_string instance_uuid, gantry_location* out) {
  if (call == nullptr || out == nullptr) return GANTRY_INVALID_ARGUMENT;
  DriverCall::State& state = *DriverCall::State::of(call);
  if (const auto code = check_out(state, "locate", *out)) return code;
  gantry_location location{};
  location.row = UINT32_MAX;
  fill_in(*out, location);
  if (state.settings.view == nullptr) {
    return state.fail(GANTRY_UNSUPPORTED, "locate: expected a call that has a view, found one that has none");
  }
  const auto uuid = parse_uuid(from_abi(instance_uuid));
  if (!uuid) {
    return state.fail(GANTRY_INVALID_ARGUMENT,
                      "locate: expected an instance's UUID, found '" + sentence_of(instance_uuid) + "'");
  }
  const gantry_view* compute = view(call, to_abi("compute"));
  const auto row = compute == nullptr ? std::nullopt : state.settings.moment.locate(*uuid);
  if (!row || *row >= compute->rows) return GANTRY_NO_VALID_HOST;
  const fleet::RowName name = state.settings.moment.row_name(*compute, *row);
  location.host = to_abi(name.host);
  location.node = to_abi(name.node);
  location.row = *row;
  const gantry_column* zone = find_column(state, *compute, "availability_zone");
  if (zone != nullptr && zone->type == GANTRY_TYPE_STRING && is_valid(*zone, *row)) {
    location.availability_zone = string_at(*zone, *row);
  }
  add_facts(state, from_abi(instance_uuid), location);
  fill_in(*out, location);
  return GANTRY_OK;
}

const gantry_view* derive(gantry_call* call, const gantry_view* origin) {
  if (call == nullptr || origin == nullptr) return nullptr;
  DriverCall::State& state = *DriverCall::State::of(call);
  auto* memory = allocate<DerivedView>(state, 1);
  auto* columns = allocate<gantry_column>(state, origin->column_count);
  auto* owned = allocate<bool>(state, origin->column_count);
  auto* lists = allocate<OwnList>(state, origin->column_count);
  if (memory == nullptr || columns == nullptr || owned == nullptr || lists == nullptr) return nullptr;
  auto* derived = new (memory) DerivedView;
  std::memcpy(&derived->view, origin, std::min<std::size_t>(origin->struct_size, sizeof(gantry_view)));
  for (std::uint32_t position = 0; position < origin->column_count; ++position) {
    columns[position] = column_at(*origin, position);
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
  derived->origin = origin;
  if (const DerivedView* parent = find_derived(state, *origin)) {
    derived->origin = parent->origin;
    // The parent's own arrays may still be written to; what was derived from it must not change with them.
    for (std::uint32_t position = 0; position < origin->column_count; ++position) {
      if (!parent->owned[position]) continue;
      if (!copy_column(state, columns[position], origin->rows)) return nullptr;
      owned[position] = true;
    }
  }
  state.derived.push_back(derived);
  return &derived->view;
}

gantry_code write(gantry_call* call, const gantry_view* view, gantry_string name, gantry_writable* out) {
  if (call == nullptr || view == nullptr || out == nullptr) return GANTRY_INVALID_ARGUMENT;
  DriverCall::State& state = *DriverCall::State::of(call);
  if (const auto code = check_out(state, "write", *out)) return code;
  fill_in(*out, {});
  DerivedView* derived = find_derived(state, *view);
  if (derived == nullptr) {
    return state.fail(GANTRY_INVALID_ARGUMENT, "write: expected a view made by derive, found another");
  }
  const auto position = position_of(derived->view, from_abi(name));
  if (!position) {
    return state.fail(GANTRY_INVALID_ARGUMENT,
                      "write: expected one of the view's columns, found '" + sentence_of(name) + "'");
  }
  if (const auto code = own_column(state, *derived, *position)) return code;
  // Made by copy_column in memory that is ours to write.
  gantry_writable writable{};
  writable.values = const_cast<void*>(derived->columns[*position].values);
  writable.validity = const_cast<std::uint64_t*>(derived->columns[*position].validity);
  fill_in(*out, writable);
  return GANTRY_OK;
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
    return name.starts_with("claims.") ? zeros_of(state, name, view.rows) : nullptr;
  }
  if (derived == nullptr) return found;
  // Columns that the fleet shows only when asked by name stand behind those of a view.
  const auto position = static_cast<std::uint64_t>(found - origin.columns);
  return position < view.column_count ? &derived->columns[position] : found;
}

void add_view_services(gantry_host& table) {
  table.column = &column;
  table.view = &view;
  table.locate = &locate;
  table.derive = &derive;
  table.write = &write;
}

}  // namespace gantry::drivers
