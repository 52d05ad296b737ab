// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/program.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iostream>
#include <string>
#include <string_view>

#include "core/daemon/command_line.hpp"
#include "core/daemon/exit_status.hpp"
#include "core/daemon/predecessor.hpp"
#include "core/daemon/start_check.hpp"
#include "core/encoding/printable.hpp"
#include "core/files/errno_text.hpp"
#include "core/files/installation.hpp"

namespace gantry::daemon {

namespace {

// Each line says who speaks. What a store or a file names cannot control a terminal.
void print(std::string_view kind, std::string_view lines) {
  while (!lines.empty()) {
    const auto end = std::min(lines.find('\n'), lines.size());
    std::cerr << "gantryd: " << kind << printable(lines.substr(0, end)) << '\n';
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

int report(const Error& error, Predecessor* predecessor) {
  // The problems of a configuration are lines. A line end in any other message is part of a name.
  print("", error.code == ErrorCode::invalid_configuration ? error.message : printable(error.message));
  if (predecessor != nullptr) predecessor->fail(error.message);
  return exit_status_of(error.code);
}

int check(const config::Loaded& loaded) {
  const auto checked = check_start(loaded, DriverCheck::tried_out);
  for (const auto& warning : checked.warnings) print("warning: ", warning);
  print("", checked.problem_lines());
  if (!checked.problems.empty()) return exit_status_of(checked.problems.front().code);
  for (const auto& driver : checked.drivers.drivers)
    std::cout << "driver " << driver.id << " " << driver.file->manifest.version << ": " << driver.path << '\n';
  std::cout << "the configuration is valid\n";
  return ExitStatus::ended;
}

// Goes on as the program with Nova's side: the same process, the same arguments. Returns only if that fails.
int become_program_for_nova(char** argv) {
  const auto program = files::companion_program("gantryd-nova");
  execv(program.c_str(), argv);
  print("", "nova.config_files is set, which needs the program " + program.string() + ": " + files::errno_text(errno) +
                "; install the package gantry-nova");
  return exit_status_of(ErrorCode::invalid_configuration);
}

}  // namespace

int run_program(int argc, char** argv, MakeAuthority make_authority) {
  const auto line = parse_command_line(argc, argv);
  if (!line) {
    print("", line.error().message);
    return ExitStatus::usage;
  }
  if (line->help) {
    std::cout << help_text();
    return ExitStatus::ended;
  }
  if (line->version) {
    std::cout << version_text();
    return ExitStatus::ended;
  }
  const auto loaded = config::load(line->sources);
  const bool needs_nova = loaded && loaded->settings.nova.is_configured() && make_authority == nullptr;
  if (needs_nova) return become_program_for_nova(argv);
  const auto predecessor = line->check_config ? nullptr : Predecessor::find();
  if (!loaded) return report(loaded.error(), predecessor.get());
  if (line->check_config) return check(*loaded);
  const auto ran = run(*loaded, make_authority, predecessor.get());
  return ran ? ExitStatus::ended : report(ran.error(), predecessor.get());
}

}  // namespace gantry::daemon
