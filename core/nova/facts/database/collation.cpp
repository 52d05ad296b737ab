// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/database/collation.hpp"

#include <algorithm>

namespace gantry::nova {

namespace {

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

std::string Collation::folded(std::string_view text) const {
  if (folds_blanks) text = text.substr(0, text.find_last_not_of(' ') + 1);
  std::string out(text);
  if (folds_case) std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

bool Collation::equal(std::string_view a, std::string_view b) const {
  return a == b || folded(a) == folded(b);
}

Collation collation_named(std::string_view name) {
  // The older collations pad with blanks. MySQL's of Unicode 9 and MariaDB's "nopad" do not, nor do bytes.
  const bool is_padded = name.find("_nopad_") == std::string_view::npos &&
                         name.find("_0900_") == std::string_view::npos && name != "binary";
  return {.folds_case = name.ends_with("_ci"), .folds_blanks = is_padded && !name.empty()};
}

Result<Collation> read_collation(Connection& connection, std::string_view table, std::string_view column) {
  std::string name;
  auto done = connection.query(
      "SELECT collation_name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = " +
          connection.quoted(table) + " AND column_name = " + connection.quoted(column),
      [&name](Row row) {
        if (const auto* text = std::get_if<std::string_view>(&row[0])) name = *text;
      });
  if (!done) return std::move(done).error();
  return collation_named(name);
}

}  // namespace gantry::nova
