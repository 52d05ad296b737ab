// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/crash_report.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>
#include <thread>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/driver.hpp"
#include "tests/drivers/example_view.hpp"
#include "tests/drivers/loaded_zoo.hpp"

namespace gantry::drivers {
namespace {

void throw_it() {
  throw std::runtime_error("out of luck");
}
void throw_out_of_a_driver() noexcept {
  throw_it();
}

class CrashReportDeathTest : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }

  static void crash(std::string_view flavor) {
    install_crash_report({});
    const ExampleView example;
    const LoadedZoo zoo("plain");
    gantry_request request{};
    request.struct_size = sizeof(request);
    request.view = &example.view();
    request.flavor = to_abi(flavor);
    DriverCall call(example.call_settings());
    static_cast<void>(zoo.driver()->select_destinations(call, request));
  }
};

TEST_F(CrashReportDeathTest, NamesDriverOperationAndRequestOfAnAbort) {
  EXPECT_EXIT(crash("crash"), testing::KilledBySignal(SIGABRT),
              "SIGABRT in driver 'zoo', operation select_destinations, request req-1");
}

TEST_F(CrashReportDeathTest, NamesTheDriverOfAFaultOnAnotherThread) {
  EXPECT_EXIT(std::thread([] { crash("fault"); }).join(), testing::KilledBySignal(SIGSEGV),
              "SIGSEGV in driver 'zoo', operation select_destinations, request req-1");
}

TEST_F(CrashReportDeathTest, SaysThatNoDriverWasRunning) {
  EXPECT_EXIT(
      {
        install_crash_report({});
        ::raise(SIGSEGV);
      },
      testing::KilledBySignal(SIGSEGV), "SIGSEGV outside of any driver");
}

TEST_F(CrashReportDeathTest, NamesTheDriverThatAnExceptionLeft) {
  EXPECT_EXIT(
      {
        install_crash_report({});
        const CrashNote note("zoo", "create", {});
        throw_out_of_a_driver();
      },
      testing::KilledBySignal(SIGABRT), "an exception left in driver 'zoo', operation create: out of luck");
}

}  // namespace
}  // namespace gantry::drivers
