// SPDX-License-Identifier: Apache-2.0
//
// Adding to the lists of a derived view: the instances of a row, its aggregates.
#include <algorithm>
#include <cstring>
#include <string>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/call/derived_view.hpp"
#include "core/drivers/call/host_services.hpp"
#include "core/drivers/call/view_rows.hpp"

namespace gantry::drivers {
namespace {

constexpr std::uint64_t most_elements = UINT32_MAX;  // a slice's begin is 32 bits

// One column of a derived view, while an element is added to it.
template <class Element>
class List {
 public:
  List(DriverCall::State& state, gantry_column& column, OwnList& own, std::uint32_t rows)
      : state_(state), column_(column), own_(own), rows_(rows) {}

  const Element* elements() const { return static_cast<const Element*>(column_.elements); }

  bool has(gantry_slice slice, const Element& element) const {
    const auto* const first = elements() + slice.begin;
    return std::any_of(first, first + slice.count,
                       [&](const Element& other) { return std::memcmp(&other, &element, sizeof(Element)) == 0; });
  }

  // Adds an element to the slice of a row. A slice that is full moves to the end and gets room for as many again, so
  // that n elements cost memory for a few times n. false: no memory.
  bool extend_row(std::uint32_t row, gantry_slice& slice, const Element& element) {
    if (own_.slice_room == nullptr) {
      own_.slice_room = allocate<std::uint32_t>(state_, rows_);
      if (own_.slice_room == nullptr) return false;
      std::fill_n(own_.slice_room, rows_, 0);
    }
    std::uint32_t& room = own_.slice_room[row];
    if (slice.count >= room) {
      const std::uint64_t wanted = 2 * (std::uint64_t{slice.count} + 1);
      if (!make_room(wanted)) return false;
      move_to_end(slice, wanted);
      room = static_cast<std::uint32_t>(wanted);
    }
    own()[slice.begin + slice.count++] = element;
    return true;
  }

  // The slice's elements and one more. Other rows may read the slice, too. false: no memory.
  bool extend_set(gantry_slice& slice, const Element& element) {
    // A list that ends where all of them end grows in place.
    const bool is_last = own_.room != 0 && std::uint64_t{slice.begin} + slice.count == own_.used && slice.count != 0;
    if (!make_room(is_last ? 1 : std::uint64_t{slice.count} + 1)) return false;
    if (!is_last) move_to_end(slice, slice.count);
    own()[own_.used++] = element;
    ++slice.count;
    return true;
  }

 private:
  Element* own() const { return static_cast<Element*>(own_.elements); }

  void move_to_end(gantry_slice& slice, std::uint64_t room) {
    std::copy_n(own() + slice.begin, slice.count, own() + own_.used);
    slice.begin = static_cast<std::uint32_t>(own_.used);
    own_.used += room;
  }

  // How far slices reach into the elements of a column that is not the view's own.
  std::uint64_t extent() const {
    std::uint64_t end = 0;
    const bool is_set = column_.type == GANTRY_TYPE_SET;
    const auto* const slices = static_cast<const gantry_slice*>(is_set ? column_.dictionary : column_.values);
    const std::uint64_t count = is_set ? column_.dictionary_count : rows_;
    for (std::uint64_t at = 0; at < count; ++at) {
      if (!is_set && !is_valid(column_, static_cast<std::uint32_t>(at))) continue;
      if (slices[at].count != 0) end = std::max(end, std::uint64_t{slices[at].begin} + slices[at].count);
    }
    return end;
  }

  bool make_room(std::uint64_t further) {
    const std::uint64_t used = own_.room != 0 ? own_.used : extent();
    if (used + further <= own_.room) return true;
    if (used + further > most_elements) return false;
    const std::uint64_t room = (used + further) * 3 / 2 + 16;
    auto* const grown = allocate<Element>(state_, room);
    if (grown == nullptr) return false;
    std::copy_n(elements(), used, grown);
    own_.elements = grown;
    own_.used = used;
    own_.room = room;
    column_.elements = grown;
    return true;
  }

  DriverCall::State& state_;
  gantry_column& column_;
  OwnList& own_;
  const std::uint32_t rows_;
};

// A null row holds no slice.
gantry_slice slice_of(const gantry_column& column, std::uint32_t row) {
  if (!is_valid(column, row)) return {};
  if (column.type == GANTRY_TYPE_UUIDS) return static_cast<const gantry_slice*>(column.values)[row];
  return static_cast<const gantry_slice*>(column.dictionary)[static_cast<const std::uint32_t*>(column.values)[row]];
}

// The row's set gets a code of its own, behind those that there are.
bool give_code(DriverCall::State& state, gantry_column& column, OwnList& own, std::uint32_t row, gantry_slice slice) {
  const std::uint64_t count = column.dictionary_count;
  if (count >= own.dictionary_room) {
    const std::uint64_t room = count * 3 / 2 + 16;
    auto* const grown = allocate<gantry_slice>(state, room);
    if (grown == nullptr) return false;
    std::copy_n(static_cast<const gantry_slice*>(column.dictionary), count, grown);
    column.dictionary = grown;
    own.dictionary_room = room;
  }
  static_cast<gantry_slice*>(const_cast<void*>(column.dictionary))[count] = slice;
  static_cast<std::uint32_t*>(const_cast<void*>(column.values))[row] = static_cast<std::uint32_t>(count);
  ++column.dictionary_count;
  column.dictionary_version = 0;
  return true;
}

template <class Element>
gantry_code add(DriverCall::State& state, DerivedView& derived, std::uint32_t position, std::uint32_t row,
                const void* given) {
  gantry_column& column = derived.columns[position];
  if (const auto code = own_column(state, derived, position)) return code;
  Element element{};
  std::memcpy(&element, given, sizeof(Element));
  OwnList& own = derived.lists[position];
  List<Element> list(state, column, own, derived.view.rows);
  gantry_slice slice = slice_of(column, row);
  if (list.has(slice, element)) return GANTRY_OK;
  bool has_room = false;
  if (column.type == GANTRY_TYPE_UUIDS) {
    has_room = list.extend_row(row, slice, element);
    if (has_room) static_cast<gantry_slice*>(const_cast<void*>(column.values))[row] = slice;
  } else {
    has_room = list.extend_set(slice, element) && give_code(state, column, own, row, slice);
  }
  if (!has_room) {
    return state.fail(GANTRY_RESOURCE_EXHAUSTED,
                      "append: expected memory for one element more, found the call's bound of " +
                          std::to_string(state.arena.limit() >> 20) + " MiB reached");
  }
  set_bit(const_cast<std::uint64_t*>(column.validity), row);
  return GANTRY_OK;
}

gantry_code append(gantry_call* call, const gantry_view* view, gantry_string name, std::uint32_t row,
                   const void* element) {
  if (call == nullptr || view == nullptr || element == nullptr) return GANTRY_INVALID_ARGUMENT;
  DriverCall::State& state = *DriverCall::State::of(call);
  const auto wrong = [&state](const std::string& expected, const std::string& found) {
    return state.misused(GANTRY_INVALID_ARGUMENT, "append: expected " + expected + ", found " + found);
  };
  DerivedView* const derived = find_derived(state, *view);
  if (derived == nullptr) return wrong("a view made by derive", "another");
  const auto position = position_of(derived->view, from_abi(name));
  if (!position) return wrong("one of the view's columns", "'" + sentence_of(name) + "'");
  if (row >= view->rows) return wrong("a row below " + std::to_string(view->rows), "row " + std::to_string(row));
  const std::int32_t type = derived->columns[*position].type;
  if (type == GANTRY_TYPE_UUIDS) return add<gantry_uuid>(state, *derived, *position, row, element);
  if (type != GANTRY_TYPE_SET) {
    return wrong("a column of type UUIDS or SET", "'" + sentence_of(name) + "' of type " + std::to_string(type));
  }
  std::uint32_t index = 0;
  std::memcpy(&index, element, sizeof(index));
  if (from_abi(name) == "aggregates" && index >= view->aggregate_count) {
    return wrong("an aggregate below " + std::to_string(view->aggregate_count), std::to_string(index));
  }
  return add<std::uint32_t>(state, *derived, *position, row, element);
}

}  // namespace

void add_list_services(gantry_host& table) {
  table.append = &append;
}

}  // namespace gantry::drivers
