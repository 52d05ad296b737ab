// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <thread>

#include "core/cli/program.hpp"

extern char** environ;

namespace {

std::map<std::string, std::string> variables() {
  std::map<std::string, std::string> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) found.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return found;
}

}  // namespace

int main(int count, char** words) {
  gantry::cli::Environment environment{
      .in = std::cin,
      .out = std::cout,
      .err = std::cerr,
      .out_is_terminal = ::isatty(STDOUT_FILENO) == 1,
      .err_is_terminal = ::isatty(STDERR_FILENO) == 1,
      .variables = variables(),
      .connect = gantry::cli::connect,
      .pause = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); },
  };
  return gantry::cli::run_program({words + std::min(count, 1), words + count}, environment);
}
