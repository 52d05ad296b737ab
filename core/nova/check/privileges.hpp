// SPDX-License-Identifier: Apache-2.0
//
// The privileges that Gantry needs in Nova's databases, and those that a user has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/nova/facts/database/connection.hpp"
#include "core/nova/facts/tables.hpp"

namespace gantry::nova {

struct Privilege {
  std::string verb;  // "SELECT", "INSERT" or "UPDATE"
  std::string database;
  std::string table;
  std::string column = {};  // the only one; empty: all
};

// Returns "GRANT UPDATE (`mapped`) ON `nova_cell1`.`compute_nodes` TO 'gantry'@'%'".
std::string grant_of(const Privilege& privilege, const std::string& grantee);
// Returns "'gantry'@'%'".
std::string grantee_of(std::string_view user, std::string_view host);

// Reading.
std::vector<Privilege> reads_of(const std::string& database, std::span<const Table> tables);
// Writing: Gantry's own row in the database of [database], and the new hosts that are discovered.
std::vector<Privilege> writes_of_own_row(const std::string& database);
std::vector<Privilege> writes_of_discovery_in_api(const std::string& database);
std::vector<Privilege> writes_of_discovery_in_cell(const std::string& database);

// The privileges of a user, as SHOW GRANTS lists them.
class Grants {
 public:
  // Reads those of the connection's own user.
  static Result<Grants> read(Connection& connection);
  // Takes a line of SHOW GRANTS. A line that grants a role, or another thing than a table, allows nothing.
  void add(std::string_view line);

  bool allow(const Privilege& privilege) const;
  const std::string& grantee() const { return grantee_; }

 private:
  struct Granted {
    std::vector<Privilege> privileges;  // their verb and column; "ALL PRIVILEGES"
    std::string database;               // a pattern; "*": all
    std::string table;                  // "*": all
  };

  std::string grantee_;
  std::vector<Granted> granted_;
};

}  // namespace gantry::nova
