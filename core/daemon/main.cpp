// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "core/daemon/command_line.hpp"
#include "core/daemon/daemon.hpp"

namespace {

enum ExitCode { ended = 0, runtime_failure = 1, usage = 2, permission = 77, configuration = 78 };

int exit_code_of(gantry::ErrorCode code) {
  switch (code) {
    case gantry::ErrorCode::invalid_configuration: return configuration;
    case gantry::ErrorCode::permission_denied: return permission;
    default: return runtime_failure;
  }
}

int report(const gantry::Error& error) {
  std::cerr << "gantryd: " << error.message << "\n";
  return exit_code_of(error.code);
}

}  // namespace

int main(int argc, char** argv) {
  const auto line = gantry::daemon::parse_command_line(argc, argv);
  if (!line) {
    std::cerr << "gantryd: " << line.error().message << "\n";
    return usage;
  }
  if (line->help) {
    std::cout << gantry::daemon::help_text();
    return ended;
  }
  if (line->version) {
    std::cout << gantry::daemon::version_text();
    return ended;
  }
  const auto loaded = gantry::config::load(line->sources);
  if (!loaded) return report(loaded.error());
  if (line->check_config) {
    const auto checked = gantry::daemon::check(*loaded);
    std::cerr << checked.remarks;
    if (!checked.is_valid) return configuration;
    std::cout << checked.drivers << "the configuration is valid\n";
    return ended;
  }
  const auto ran = gantry::daemon::run(*loaded);
  return ran ? ended : report(ran.error());
}
