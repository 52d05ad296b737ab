// SPDX-License-Identifier: Apache-2.0
//
// Derived views: copy-on-write views that a driver may write to, in the call's memory. Internal to core/drivers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/drivers/call/call_state.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

// The elements of a UUIDS or SET column that a derived view owns. Elements are only appended and never changed, because
// views derived from this one still read them.
struct OwnList {
  void* elements = nullptr;
  std::uint64_t used = 0;
  std::uint64_t room = 0;  // capacity; 0 if the view does not own the elements
};

struct DerivedView {
  gantry_view view{};
  const gantry_view* origin = nullptr;  // the first view of the chain, which is not derived
  gantry_column* columns = nullptr;     // view.column_count elements
  bool* owned = nullptr;                // by position: true if this view owns values and validity
  OwnList* lists = nullptr;             // by position
};

// Makes a copy-on-write copy of a view. Returns nullptr if memory has run out.
const gantry_view* derive_view(DriverCall::State& state, const gantry_view& origin);

// Returns the derived view behind `view`, nullptr if it is not a derived view of this call.
DerivedView* find_derived(DriverCall::State& state, const gantry_view& view);

std::optional<std::uint32_t> position_of(const gantry_view& view, std::string_view name);

// Returns the column of that name in a view of the call, derived or not. nullptr if there is none.
const gantry_column* find_column(DriverCall::State& state, const gantry_view& view, std::string_view name);

// Copies a column that the view does not own yet. On failure the sentence is set.
gantry_code own_column(DriverCall::State& state, DerivedView& derived, std::uint32_t position);

template <class T>
T* allocate(DriverCall::State& state, std::uint64_t count) {
  return static_cast<T*>(state.arena.allocate(count * sizeof(T), Arena::alignment));
}

}  // namespace gantry::drivers
