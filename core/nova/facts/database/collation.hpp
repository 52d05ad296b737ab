// SPDX-License-Identifier: Apache-2.0
//
// Which texts a column of MySQL or MariaDB takes for equal.
#pragma once

#include <string>
#include <string_view>

#include "core/nova/facts/database/connection.hpp"

namespace gantry::nova {

struct Collation {
  bool folds_case =
      false;  // letters of ASCII; a collation also folds others, which names of hosts and zones rarely have
  bool folds_blanks = false;  // blanks at the end do not count

  // Returns a text that is the same for all texts that the column takes for equal.
  std::string folded(std::string_view text) const;
  bool equal(std::string_view a, std::string_view b) const;
};

// Returns what a collation does by its name: utf8mb3_general_ci folds both, utf8mb4_bin blanks alone.
Collation collation_named(std::string_view name);
// Reads the collation of a column of the connection's database.
Result<Collation> read_collation(Connection& connection, std::string_view table, std::string_view column);

}  // namespace gantry::nova
