// SPDX-License-Identifier: Apache-2.0
#include <ostream>
#include <sstream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/terminal/exit_code.hpp"
#include "core/config/nova/release.hpp"
#include "core/config/sample.hpp"
#include "core/daemon/start_check.hpp"
#include "core/drivers/driver.hpp"
#include "core/drivers/judge/driver_files.hpp"
#include "core/encoding/printable.hpp"

namespace gantry::cli {

namespace {

// " with PowerFilter, RackFilter (site_filters 0.1.0)"; empty: its libraries offer nothing.
std::string offers_of(const drivers::DriverFile& driver) {
  std::string text;
  for (const drivers::DriverFile& library : driver.offer_libraries) {
    text.append(text.empty() ? " with " : " and ");
    std::string names;
    for (const drivers::OfferDeclaration& offer : library.manifest.offers)
      names.append(names.empty() ? "" : ", ").append(offer.name);
    text.append(names).append(" (" + library.manifest.id + " " + library.manifest.version + ")");
  }
  return text;
}

json::object as_json(const daemon::StartCheck& checked) {
  json::array drivers;
  for (const drivers::CheckedFile& driver : checked.drivers.drivers)
    drivers.emplace_back(
        json::object{{"id", driver.id}, {"version", driver.file->manifest.version}, {"path", driver.path}});
  json::array warnings;
  for (const std::string& warning : checked.warnings) warnings.emplace_back(warning);
  json::array problems;
  std::istringstream lines(checked.problem_lines());
  for (std::string line; std::getline(lines, line);) problems.emplace_back(line);
  return {{"valid", checked.problems.empty()},
          {"drivers", std::move(drivers)},
          {"warnings", std::move(warnings)},
          {"problems", std::move(problems)}};
}

void print(Session& session, const daemon::StartCheck& checked) {
  for (const std::string& warning : checked.warnings) print_warning(session, warning);
  std::istringstream lines(checked.problem_lines());
  for (std::string line; std::getline(lines, line);)
    print_error(session.err(), Error{ErrorCode::internal, line, ""}, false);
  if (!checked.problems.empty() || session.quiet()) return;
  std::string names;
  for (const drivers::CheckedFile& driver : checked.drivers.drivers) {
    names.append(names.empty() ? "" : ", ").append(driver.id).append(" ").append(driver.file->manifest.version);
    names.append(offers_of(*driver.file));
  }
  session.out() << "configuration is valid";
  if (!names.empty()) session.out() << "; drivers: " << printable(names);
  session.out() << '\n';
}

Result<int> check_config(Session& session, const Arguments& arguments) {
  session.set_topic("");
  auto loaded = config::load(session.sources());
  if (!loaded) return std::move(loaded).error();
  const bool leaves_out = arguments.flag("no-drivers");
  const auto checked =
      daemon::check_start(*loaded, leaves_out ? daemon::DriverCheck::left_out : daemon::DriverCheck::tried_out);
  if (session.format() == OutputFormat::json) {
    print_json(session, as_json(checked));
  } else {
    print(session, checked);
  }
  return checked.problems.empty() ? exit_code::success : exit_code::of(checked.problems.front().code);
}

Result<int> show_config(Session& session, const Arguments& arguments) {
  auto loaded = config::load(session.sources());
  if (!loaded) return std::move(loaded).error();
  json::array rows;
  for (const config::Shown& shown : loaded->shown)
    rows.emplace_back(json::object{{"key", shown.key}, {"value", shown.value}, {"origin", shown.origin}});
  std::vector<Column> columns{{"KEY", "key"}, {"VALUE", "value"}};
  if (arguments.flag("origin")) columns.push_back({"ORIGIN", "origin"});
  print_list(session, rows, columns);
  return 0;
}

Result<int> sample(Session& session, const Arguments& /*arguments*/) {
  print_text(session, "toml", config::sample());
  return 0;
}

}  // namespace

std::vector<Command> config_commands() {
  return {
      {.path = "config check",
       .summary = "Checks the configuration and the drivers that it names",
       .description = "Finds what would keep gantryd from starting on this machine, as gantryd --check-config does: "
                      "in the configuration, the drivers, certificate and key, the log's and the store's place. "
                      "Root asks for the user who owns the store's directory. "
                      "Needs no daemon. Each driver is created in a process of its own, which may crash or hang. Every "
                      "problem is shown, with file, line, key, what was expected and what was found; the exit code is "
                      "that of the start: 78, or 77 for a file or directory that may not be used.",
       .options = {{.name = "no-drivers", .help = "Leaves the drivers out"}},
       .examples = {{"gantry config check", "before a restart"},
                    {"gantry --config ./gantry.toml config check", "a file that is not installed yet"}},
       .run = check_config},
      {.path = "config show",
       .summary = "Shows what holds, from all sources",
       .options = {{.name = "origin", .help = "Shows where each value comes from: file and line, environment, --set"}},
       .examples = {{"gantry config show --origin", "which file said that?"}},
       .run = show_config},
      {.path = "config sample",
       .summary = "Prints a configuration with every key, its default and what it does",
       .examples = {{"gantry config sample > gantry.toml", "a start"}},
       .run = sample},
      {.path = "config import-nova",
       .summary = "Prints the configuration that a nova.conf comes to",
       .description =
           "Reads nova.conf as Nova does: sections, lines that go on, $option, older names. Prints TOML for the filter "
           "driver, a comment above each key says which option of Nova's it comes from. Options about scheduling that "
           "Gantry has nothing for are listed at the end and on standard error. What Nova asked placement for, filters "
           "do here: those that are missing are added. The release is told with --compatibility, or found by the "
           "service "
           "versions in Nova's databases, which are only read; where they do not show it, it must be told. Each "
           "default of "
           "the release that is not what the files say is listed. With --serve, Gantry is the scheduler of the running "
           "Nova: "
           "placement stays, and the files are read at each start. A value that makes no sense is an error, exit code "
           "78.",
       .positionals = {{.name = "FILE",
                        .help = "nova.conf, or a directory with *.conf; later ones win. -: standard input",
                        .many = true}},
       .options = {{.name = "serve",
                    .help = "For Gantry in the place of nova-scheduler: names the files in [nova] config_files, and "
                            "shows what it takes from them, secrets as ****"},
                   {.name = "compatibility",
                    .kind = ValueKind::text,
                    .value_name = "RELEASE",
                    .help =
                        "The release of Nova's that the file is for: what it does by default, and whose rules the "
                        "driver then follows. Without it the databases that the file names show the release; a file "
                        "that names none is for the newest",
                    .suggestions = config::nova::release_choices()}},
       .examples = {{"gantry config import-nova /etc/nova/nova.conf > /etc/gantry/gantry.toml", "a move"},
                    {"gantry config import-nova /etc/nova/nova.conf /etc/nova/nova.conf.d -o json", "for programs"},
                    {"gantry config import-nova --serve /etc/nova/nova.conf", "in the place of nova-scheduler"}},
       .run = import_nova}};
}

}  // namespace gantry::cli
