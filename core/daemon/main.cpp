// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <string_view>

#include "core/daemon/command_line.hpp"
#include "core/daemon/daemon.hpp"
#include "core/daemon/exit_status.hpp"
#include "core/daemon/start_check.hpp"

namespace {

using gantry::daemon::ExitStatus;

// Each line says who speaks.
void print(std::string_view kind, std::string_view lines) {
  while (!lines.empty()) {
    const auto end = std::min(lines.find('\n'), lines.size());
    std::cerr << "gantryd: " << kind << lines.substr(0, end) << '\n';
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

int report(const gantry::Error& error) {
  print("", error.message);
  return gantry::daemon::exit_status_of(error.code);
}

int check(const gantry::config::Loaded& loaded) {
  const auto checked = gantry::daemon::check_start(loaded, gantry::daemon::DriverCheck::tried_out);
  for (const auto& warning : checked.warnings) print("warning: ", warning);
  print("", checked.problem_lines());
  if (!checked.problems.empty()) return gantry::daemon::exit_status_of(checked.problems.front().code);
  for (const auto& driver : checked.drivers.drivers)
    std::cout << "driver " << driver.id << " " << driver.file->manifest.version << ": " << driver.path << '\n';
  std::cout << "the configuration is valid\n";
  return ExitStatus::ended;
}

}  // namespace

int main(int argc, char** argv) {
  const auto line = gantry::daemon::parse_command_line(argc, argv);
  if (!line) {
    print("", line.error().message);
    return ExitStatus::usage;
  }
  if (line->help) {
    std::cout << gantry::daemon::help_text();
    return ExitStatus::ended;
  }
  if (line->version) {
    std::cout << gantry::daemon::version_text();
    return ExitStatus::ended;
  }
  const auto loaded = gantry::config::load(line->sources);
  if (!loaded) return report(loaded.error());
  if (line->check_config) return check(*loaded);
  const auto ran = gantry::daemon::run(*loaded);
  return ran ? ExitStatus::ended : report(ran.error());
}
