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
  // For JSON and sets of aggregates: what the entry gave for the column last. Hosts of one model have equal texts, and
  // many hosts are in the same aggregates.
  same,
};

// Which aggregates an entry tells of. Entries of older versions have only the first two.
enum class ToldAggregates : std::uint8_t {
  none,
  all,      // the whole list
  changed,  // the ids of those that are gone, then those that came or changed
};

constexpr unsigned cell_kind_bits = 2;

}  // namespace gantry::fleet
