// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "tests/drivers/example_view.hpp"
#include "tests/refusal/zoo_test.hpp"

namespace gantry::drivers {
namespace {

class Overwrite : public ZooTest {
 protected:
  ErrorCode ask() {
    const ExampleView example;
    gantry_request request{};
    request.struct_size = sizeof(request);
    request.view = &example.view();
    request.flavor = to_abi("none");
    DriverCall call(example.call_settings());
    return set_->for_topic("compute")->select_destinations(call, request).error().code;
  }
};

TEST_F(Overwrite, LeavesALoadedDriverUnharmed) {
  const std::string path = put("plain");
  ASSERT_EQ(load(), "no error");
  std::ofstream(path, std::ios::binary | std::ios::trunc) << "not a driver any more";
  EXPECT_EQ(ask(), ErrorCode::no_valid_host);
}

TEST_F(Overwrite, IsDetectedBetweenCheckingAndLoading) {
  const std::string path = put("serial");
  settings_.drivers["zoo"].required = true;
  const Result<DriverSet> set =
      load_drivers(settings_, telemetry::Logger::none(), std::make_shared<telemetry::Counters>(), [&](const Manifest&) {
        std::ofstream(path, std::ios::binary | std::ios::app) << "more";
        return Result<void>();
      });
  ASSERT_FALSE(set);
  EXPECT_THAT(set.error().message, mentions({path, "unchanged file", "install drivers by renaming"}));
}

TEST_F(Overwrite, LoadsADriverWithoutASealedCopy) {
  put("methods");
  settings_.seal_drivers = false;
  ASSERT_EQ(load(), "no error");
  EXPECT_EQ(ask(), ErrorCode::no_valid_host);
}

TEST_F(Overwrite, LoadsTheNewDriverAtTheNextStart) {
  put("plain");
  ASSERT_EQ(load(), "no error");
  put("options");
  ASSERT_EQ(load(), "no error");
  EXPECT_EQ(set_->for_topic("compute")->manifest().options.size(), 2U);
  EXPECT_EQ(ask(), ErrorCode::no_valid_host);
}

}  // namespace
}  // namespace gantry::drivers
