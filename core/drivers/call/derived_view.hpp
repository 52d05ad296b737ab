// SPDX-License-Identifier: Apache-2.0
//
// Derived views: copy-on-write copies of a view that a driver may write to. They lie in the call's memory. Internal to
// core/drivers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/drivers/call/call_state.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

// The list elements of a UUIDS or SET column, if a derived view owns them. Elements are only appended and never
// changed, because views that were derived from this view still read the elements.
struct OwnList {
  void* elements = nullptr;
  std::uint64_t used = 0;
  std::uint64_t room = 0;  // capacity in elements; 0 if the view does not own the elements
  // By row of a UUIDS column: the elements that the row's slice may have where it lies; 0 if others read beyond it.
  // nullptr until the first append.
  std::uint32_t* slice_room = nullptr;
  std::uint64_t dictionary_room = 0;  // capacity in codes, if SET; 0 if the view does not own them
};

// A derived view and the state that its writes need.
struct DerivedView {
  gantry_view view{};
  const gantry_view* origin = nullptr;  // the view that this view was first derived from; not a derived view itself
  gantry_column* columns = nullptr;     // view.column_count elements
  bool* owned = nullptr;                // by column position: true if this view owns values and validity of the column
  OwnList* lists = nullptr;             // by column position
};

// Makes a copy-on-write copy of a view. Returns nullptr if memory has run out.
const gantry_view* derive_view(DriverCall::State& state, const gantry_view& origin);

// Returns the derived view behind `view`, nullptr if it is not a derived view of this call.
DerivedView* find_derived(DriverCall::State& state, const gantry_view& view);

// Returns the position of the column of that name. nullopt if the view has none.
std::optional<std::uint32_t> position_of(const gantry_view& view, std::string_view name);

// Returns the column of that name in a view of the call, derived or not. A column claims.NAME that the view lacks is
// made of zeros. nullptr if there is no column of another name, or if memory has run out.
const gantry_column* find_column(DriverCall::State& state, const gantry_view& view, std::string_view name);

// Copies the column at a position into the view, unless the view owns the column already. A failure is recorded by
// state.fail.
gantry_code own_column(DriverCall::State& state, DerivedView& derived, std::uint32_t position);

// Returns memory for `count` elements from the call's arena. nullptr if memory has run out.
template <class T>
T* allocate(DriverCall::State& state, std::uint64_t count) {
  return static_cast<T*>(state.arena.allocate(count * sizeof(T), Arena::alignment));
}

}  // namespace gantry::drivers
