// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/server_variables.hpp"

namespace gantry::nova {

namespace {

constexpr const char* snapshot_isolation = "innodb_snapshot_isolation";
constexpr const char* galera = "wsrep_on";
constexpr const char* flush_at_commit = "innodb_flush_log_at_trx_commit";

}  // namespace

std::string judged_variables() {
  std::string names;
  for (const char* name : {snapshot_isolation, galera, flush_at_commit})
    names += (names.empty() ? "'" : ", '") + std::string(name) + "'";
  return names;
}

std::vector<std::string> remarks_on(const std::map<std::string, std::string>& variables) {
  const auto value_of = [&variables](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
  std::vector<std::string> remarks;
  if (value_of(snapshot_isolation) == "ON")
    remarks.emplace_back(
        "innodb_snapshot_isolation is ON, MariaDB's default since 11.6.2: a change of a row that another transaction "
        "has "
        "changed meanwhile fails with error 1020, where it waited before; claims that race fail at placement unless "
        "its "
        "oslo.db tries them again. Gantry reads alone and is not concerned. OFF is what Nova was written for");
  if (value_of(galera) == "ON" && !value_of(flush_at_commit).empty() && value_of(flush_at_commit) != "1")
    remarks.push_back(
        "innodb_flush_log_at_trx_commit is " + value_of(flush_at_commit) +
        " on a node of Galera (wsrep_on): what was committed in the last second is lost where all nodes end "
        "at once, claims and Gantry's own row with it. 1 keeps them");
  return remarks;
}

}  // namespace gantry::nova
