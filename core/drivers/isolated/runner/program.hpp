// SPDX-License-Identifier: Apache-2.0
//
// The program gantry-runner, which runs the code of one isolated driver for gantryd.
#pragma once

namespace gantry::drivers::isolated {

// Returns the exit status of the process. Lanes go on until the service ends the process.
int run_runner(int argc, char** argv);

}  // namespace gantry::drivers::isolated
