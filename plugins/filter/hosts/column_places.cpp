// SPDX-License-Identifier: Apache-2.0
#include "hosts/column_places.hpp"

namespace filter_driver {

const gantry_column* column_places::find(const gantry::view& view, std::string_view name, std::size_t asked) {
  const auto& raw = view.raw();
  const auto at = [&raw](std::uint32_t place) {
    const auto* const columns = reinterpret_cast<const char*>(raw.columns);
    return reinterpret_cast<const gantry_column*>(columns + std::size_t{place} * raw.column_stride);
  };
  auto& known = places_[asked % places_.size()];
  const auto expected = known.load(std::memory_order_relaxed);
  if (expected < raw.column_count && gantry::text(at(expected)->name) == name) return at(expected);
  for (std::uint32_t place = 0; place < raw.column_count; ++place) {
    if (gantry::text(at(place)->name) != name) continue;
    known.store(place, std::memory_order_relaxed);
    return at(place);
  }
  return nullptr;
}

}  // namespace filter_driver
