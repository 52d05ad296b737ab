// SPDX-License-Identifier: Apache-2.0
//
// gantryd-nova: gantryd with the side of a Nova deployment.
#include "core/daemon/program.hpp"
#include "core/nova/serve/deployment.hpp"

int main(int argc, char** argv) {
  return gantry::daemon::run_program(argc, argv, gantry::nova::make_deployment);
}
