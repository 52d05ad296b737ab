// SPDX-License-Identifier: Apache-2.0
//
// A short life of the service once for each operation on files, and each allocation, that SQLite makes in it, with that
// one failing. The suite takes some of them, GANTRY_FAULT_STEP=1 all.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "allocation_fault.hpp"
#include "fault_file_system.hpp"
#include "scenario.hpp"

namespace gantry::fault {
namespace {

std::uint64_t step_or(std::uint64_t usual) {
  const char* const given = std::getenv("GANTRY_FAULT_STEP");
  return given != nullptr ? std::max(1ULL, std::strtoull(given, nullptr, 10)) : usual;
}

std::string name_of(Form form) {
  switch (form) {
    case Form::io_error: return "IoError";
    case Form::disk_full: return "DiskFull";
    case Form::short_write: return "ShortWrite";
  }
  return "";
}

class FaultLoop : public testing::TestWithParam<std::tuple<Form, bool>> {
 protected:
  void TearDown() override { FaultFileSystem::installed().disarm(); }
};

TEST_P(FaultLoop, NoFailingFileOperationMakesAnAnswerUntrue) {
  auto& files = FaultFileSystem::installed();
  const auto [form, lasts] = GetParam();
  const auto step = step_or(29);
  // Each parameter takes others of them.
  std::uint64_t at = 1 + (static_cast<std::uint64_t>(form) * 2 + (lasts ? 1 : 0)) * 5 % step;
  int runs = 0;
  for (bool struck = true; struck && !HasFailure(); at += step, ++runs) {
    files.arm({at, lasts, form});
    Scenario scenario(lasts);
    scenario.run([&files, &struck] {
      struck = files.has_struck();
      files.disarm();
    });
    if (HasFailure()) ADD_FAILURE() << "with operation " << at << " failing: " << files.struck();
  }
  EXPECT_GT(runs, 3);
  std::cout << name_of(form) << (lasts ? " from one operation on" : " once") << ": " << runs << " of " << at - step
            << " file operations failed in turn, untrue answers 0\n";
}

INSTANTIATE_TEST_SUITE_P(Forms, FaultLoop,
                         testing::Combine(testing::Values(Form::io_error, Form::disk_full, Form::short_write),
                                          testing::Bool()),
                         [](const auto& instance) {
                           return name_of(std::get<0>(instance.param)) +
                                  (std::get<1>(instance.param) ? "ThatLasts" : "Once");
                         });

TEST(AllocationLoop, NoFailingAllocationMakesAnAnswerUntrue) {
  const auto step = step_or(331);
  int runs = 0;
  std::uint64_t last = 0;
  for (std::uint64_t at = 1; !testing::Test::HasFailure(); at += step, ++runs) {
    bool failed = false;
    fail_allocation(at);
    Scenario scenario(false);
    scenario.run([&failed] {
      failed = failed || allocation_has_failed();
      fail_allocation(0);
    });
    if (testing::Test::HasFailure()) ADD_FAILURE() << "with allocation " << at << " failing";
    if (!failed) break;
    last = at;
  }
  EXPECT_GT(runs, 3);
  std::cout << "no memory: " << runs << " of " << last << " allocations failed in turn, untrue answers 0\n";
}

}  // namespace
}  // namespace gantry::fault
