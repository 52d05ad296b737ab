// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "core/cli/driver_kit/installed/manifest_difference.hpp"
#include "core/cli/driver_kit/judged_file.hpp"
#include "core/cli/driver_kit/kit_commands.hpp"
#include "core/cli/terminal/exit_code.hpp"
#include "core/cli/terminal/output.hpp"

namespace gantry::cli {

namespace {

void print_differences(Session& session, const FileDifferences& found) {
  TextTable table({"WHAT", "BEFORE", "AFTER"});
  for (const Difference& one : found.differences)
    table.add({one.what, one.before.empty() ? "-" : one.before, one.after.empty() ? "-" : one.after});
  if (session.format() == OutputFormat::value) return table.print_values(session.out());
  table.print(session.out(), session.colour());
  session.out() << "\nto do:\n";
  for (const std::string& duty : found.duties) session.out() << "  * " << duty << '\n';
}

Result<int> diff_drivers(Session& session, const Arguments& arguments) {
  session.set_topic("");
  const auto before = open_for_reading(arguments.text("OLD"));
  if (!before) return before.error();
  const auto after = open_for_reading(arguments.text("NEW"));
  if (!after) return after.error();
  const auto found = compare_files(*before, *after);
  if (!found) return found.error();
  const bool is_same = found->differences.empty();
  if (session.format() == OutputFormat::json) {
    json::array differences;
    for (const Difference& one : found->differences)
      differences.emplace_back(json::object{{"what", one.what}, {"before", one.before}, {"after", one.after}});
    json::array duties;
    for (const std::string& duty : found->duties) duties.emplace_back(duty);
    print_json(session,
               json::object{{"same", is_same}, {"differences", std::move(differences)}, {"to_do", std::move(duties)}});
  } else if (!is_same) {
    print_differences(session, *found);
  } else if (!session.quiet()) {
    print_notice(session, "the files are the same");
  }
  return is_same ? exit_code::success : exit_code::unsound;
}

}  // namespace

Command driver_diff_command() {
  return {
      .path = "driver diff",
      .summary = "Compares two files of a driver and says what a change from one to the other asks of an operator",
      .description =
          "Compares manifests (topics, methods, options with defaults and bounds, columns, threads), ABI, libraries, "
          "symbols and build ids, without running a file. The exit code is 0 if the files are the same and 4 if they "
          "differ.",
      .positionals = {{"OLD", "The file of before"}, {"NEW", "The file that takes its place"}},
      .examples = {{"gantry driver diff /usr/local/lib/gantry/drivers/spread.so build/lib/gantry/drivers/spread.so",
                    "before an upgrade"}},
      .run = diff_drivers};
}

}  // namespace gantry::cli
