// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "tests/refusal/zoo_test.hpp"

namespace gantry::drivers {
namespace {

// The driver's constructor sets GANTRY_ZOO_RAN.
class NothingRan : public ZooTest {
 protected:
  NothingRan() { ::unsetenv("GANTRY_ZOO_RAN"); }
  static bool has_run() { return ::getenv("GANTRY_ZOO_RAN") != nullptr; }
};

TEST_F(NothingRan, WhenAManifestIsRefused) {
  const std::string path = put("constructor_newer");
  EXPECT_THAT(load(), mentions({path, "ABI major", "found 9.0"}));
  EXPECT_FALSE(has_run());
}

TEST_F(NothingRan, WhenOptionsAreRefused) {
  put("constructor");
  settings_.drivers["zoo"].options["nothing"] = {true, "--set"};
  EXPECT_THAT(load(), mentions({"driver.zoo.nothing"}));
  EXPECT_FALSE(has_run());
}

TEST_F(NothingRan, WhenAnotherDriverIsRefused) {
  put("constructor");
  directory_.add(built("bear.so"), "bear.so");
  settings_.scheduler_driver = {"zoo", "bear"};
  EXPECT_THAT(load(), mentions({"one driver for topic"}));
  EXPECT_FALSE(has_run());
}

TEST_F(NothingRan, WhenADriverIsOnlyChecked) {
  put("constructor");
  EXPECT_EQ(check(), "no error");
  EXPECT_FALSE(has_run());
}

// Shows that the tests above would see a constructor that runs.
TEST_F(NothingRan, ExceptWhenTheDriverIsLoaded) {
  put("constructor");
  EXPECT_EQ(load(), "no error");
  EXPECT_TRUE(has_run());
}

}  // namespace
}  // namespace gantry::drivers
