// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <iostream>
#include <thread>

#include "core/cli/program.hpp"
#include "core/config/environment.hpp"

int main(int count, char** words) {
  gantry::cli::Environment environment{
      .in = std::cin,
      .out = std::cout,
      .err = std::cerr,
      .out_is_terminal = ::isatty(STDOUT_FILENO) == 1,
      .err_is_terminal = ::isatty(STDERR_FILENO) == 1,
      .variables = gantry::config::environment_variables(),
      .connect = gantry::cli::connect,
      .pause = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); },
  };
  return gantry::cli::run_program({words + std::min(count, 1), words + count}, environment);
}
