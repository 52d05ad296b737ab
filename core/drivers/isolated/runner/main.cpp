// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner/program.hpp"

int main(int argc, char** argv) {
  return gantry::drivers::isolated::run_runner(argc, argv);
}
