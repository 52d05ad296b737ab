// SPDX-License-Identifier: Apache-2.0
#include "core/cli/upkeep/upgrade_command.hpp"

#include <ostream>
#include <sstream>

#include "core/cli/terminal/output.hpp"
#include "core/cli/upkeep/upgrade_check.hpp"
#include "core/encoding/printable.hpp"

namespace gantry::cli {

namespace {

std::string word_of(UpgradeStatus status) {
  switch (status) {
    case UpgradeStatus::success: return "success";
    case UpgradeStatus::warning: return "warning";
    case UpgradeStatus::failure: break;
  }
  return "failure";
}

json::object as_json(const std::vector<UpgradeFinding>& findings) {
  json::array checks;
  for (const auto& finding : findings)
    checks.emplace_back(
        json::object{{"check", finding.check}, {"status", word_of(finding.status)}, {"what", finding.what}});
  const auto worst = worst_of(findings);
  return {{"version", GANTRY_VERSION},
          {"status", word_of(worst)},
          {"exit_code", static_cast<int>(worst)},
          {"checks", std::move(checks)}};
}

Result<int> check(Session& session, const Arguments& /*arguments*/) {
  session.set_topic("");
  const auto findings = check_upgrade(session);
  const auto worst = worst_of(findings);
  TextTable table({"CHECK", "STATUS", "WHAT"});
  for (const auto& finding : findings) {
    std::istringstream lines(finding.what);
    bool is_first = true;
    for (std::string line; std::getline(lines, line); is_first = false)
      table.add({is_first ? printable(finding.check) : "", is_first ? word_of(finding.status) : "", printable(line)});
  }
  print_table(session, as_json(findings), table);
  return static_cast<int>(worst);
}

}  // namespace

std::vector<Command> upgrade_commands() {
  return {
      {.path = "upgrade check",
       .summary = "Checks whether this version can take over what an earlier one left",
       .description =
           "For after the packages were installed and before the restart, and for whenever somebody asks. Changes "
           "nothing, and runs no code of a driver. Checks the configuration by the keys of this version, each driver's "
           "ABI and pinned hash, what files and directories allow, the store and its schema, the room for a migration, "
           "the archive of decisions, and whether the daemon runs what is installed. The exit status is 0 if all is "
           "well, 1 if something asks for attention and 2 if a start would fail, as nova-status upgrade check has it.",
       .examples = {{"gantry upgrade check && gantry restart", "only if all is well"},
                    {"gantry -o json upgrade check", "for programs"}},
       .run = check}};
}

}  // namespace gantry::cli
