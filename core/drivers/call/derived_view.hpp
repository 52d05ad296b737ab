// SPDX-License-Identifier: Apache-2.0
//
// A view that a driver may write to, in the call's memory: its columns are those of the view that it was derived from
// until they are written to. Internal to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/drivers/call/call_state.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

// What the slices of a UUIDS or SET column point into, once it is a derived view's own. Elements are added behind the
// others and never changed: views derived from this one go on reading them.
struct OwnList {
  void* elements = nullptr;
  std::uint64_t used = 0;
  std::uint64_t room = 0;  // 0: not its own
};

struct DerivedView {
  gantry_view view{};
  const gantry_view* origin = nullptr;  // the first one, not derived
  gantry_column* columns = nullptr;     // view.column_count of them
  bool* owned = nullptr;                // by position: values and validity are this view's own
  OwnList* lists = nullptr;             // by position
};

// nullptr: no derived view of this call.
DerivedView* find_derived(DriverCall::State& state, const gantry_view& view);

std::optional<std::uint32_t> position_of(const gantry_view& view, std::string_view name);

// The column becomes the view's own. GANTRY_OK, or a failure that has been told.
gantry_code own_column(DriverCall::State& state, DerivedView& derived, std::uint32_t position);

template <class T>
T* allocate(DriverCall::State& state, std::uint64_t count) {
  return static_cast<T*>(state.arena.allocate(count * sizeof(T), Arena::alignment));
}

}  // namespace gantry::drivers
