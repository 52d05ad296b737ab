// SPDX-License-Identifier: Apache-2.0
//
// Where the columns of views stand: a decision asks for the same ones in the same order as the one before it, whose view
// had them at the same places.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gantry/driver/view.hpp>
#include <string_view>

namespace filter_driver {

// [any thread]
class column_places {
 public:
  // The view's own column of that name, the `asked`th that is asked for, from 0; nullptr: it has none.
  const gantry_column* find(const gantry::view& view, std::string_view name, std::size_t asked);

 private:
  std::array<std::atomic<std::uint32_t>, 64> places_{};
};

}  // namespace filter_driver
