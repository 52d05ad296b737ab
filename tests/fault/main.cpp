// SPDX-License-Identifier: Apache-2.0
//
// Puts the faults under SQLite before anything uses it.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>

#include "allocation_fault.hpp"
#include "fault_file_system.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  // No test here needs a disk, and memory is quicker.
  if (access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 0);
  gantry::fault::install_allocation_faults();
  gantry::fault::FaultFileSystem::installed();
  return RUN_ALL_TESTS();
}
