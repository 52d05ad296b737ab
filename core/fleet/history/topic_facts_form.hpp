// SPDX-License-Identifier: Apache-2.0
//
// The form of a cell in an entry of the history: (position << cell_kind_bits | kind), then the value.
#pragma once

#include <cstdint>

namespace gantry::fleet {

enum class CellKind : std::uint8_t {
  null,     // no value follows
  value,    // as the column's type says
  integer,  // for F64: a number without a fraction, as an integer
  same,     // for JSON: the text that the entry gave for the column last; hosts of one model have equal texts
};

constexpr unsigned cell_kind_bits = 2;

}  // namespace gantry::fleet
