// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/program.hpp"

int main(int argc, char** argv) {
  return gantry::daemon::run_program(argc, argv, nullptr);
}
