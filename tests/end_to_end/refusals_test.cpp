// SPDX-License-Identifier: Apache-2.0
//
// What a deployer gets wrong, and is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int configuration_refused = 78;

class Refusals : public testing::Test {
 protected:
  void expect_refused(const testing::Matcher<std::string>& words) {
    const auto started = gantry.start_refused();
    EXPECT_EQ(started.exit_status, configuration_refused) << started.err;
    EXPECT_THAT(started.err, words);
    const auto checked = run_program(
        {std::string(GANTRY_BIN_DIRECTORY) + "/gantry", "config", "check", "--config", gantry.config_file()});
    EXPECT_EQ(checked.exit_status, configuration_refused) << checked.out << checked.err;
    EXPECT_THAT(checked.out + checked.err, words);
  }
  RunningGantry gantry;
};

TEST_F(Refusals, AMisspeltKeyIsNamedWithFileLineAndTheNearest) {
  gantry.configure("\"simple\"", "[sheduling]\nservice_down_time = 60\n");
  expect_refused(AllOf(HasSubstr("gantry.toml:5"), HasSubstr("sheduling"), HasSubstr("scheduling")));
}

TEST_F(Refusals, AMisspeltDriverOptionIsNamedWithTheNearest) {
  gantry.configure("\"ip\"", "[driver.ip]\ndefault_prefiks = \"x\"\n");
  expect_refused(AllOf(HasSubstr("default_prefiks"), HasSubstr("default_prefix"), HasSubstr("gantry.toml")));
}

TEST_F(Refusals, ADriverFileThatOthersMayWriteIsNamedWithItsMode) {
  gantry.configure("\"simple\"");
  std::filesystem::permissions(gantry.drivers() / "simple.so", std::filesystem::perms(0666));
  expect_refused(AllOf(HasSubstr("simple.so"), HasSubstr("0666")));
}

TEST_F(Refusals, ATruncatedDriverFileIsRefused) {
  gantry.configure("\"simple\"");
  std::filesystem::resize_file(gantry.drivers() / "simple.so", 5000);
  expect_refused(AllOf(HasSubstr("simple.so"), HasSubstr("truncated")));
}

TEST_F(Refusals, ADriverThatIsNotThereIsNamedWithWhereItWasLookedFor) {
  gantry.configure("\"simpel\"");
  expect_refused(AllOf(HasSubstr("simpel"), HasSubstr(gantry.drivers().string())));
}

TEST_F(Refusals, TwoDriversForOneTopicAreBothNamed) {
  gantry.configure("[\"simple\", \"chance\"]");
  expect_refused(AllOf(HasSubstr("simple"), HasSubstr("chance"), HasSubstr("compute")));
}

TEST_F(Refusals, ADriverThatIsNotRequiredIsSkippedAndSaid) {
  gantry.configure("[\"simple\", \"volume\"]", "[driver.volume]\nrequired = false\n");
  std::filesystem::remove(gantry.drivers() / "volume.so");
  gantry.start();
  EXPECT_EQ(gantry.ask({"status"}).at("skipped_drivers").as_array().size(), 1U);
  EXPECT_THAT(gantry.log(), HasSubstr("volume"));
}

TEST_F(Refusals, ADriverWrittenInCAgainstTheHeaderAloneIsDroppedInAndSchedules) {
  const auto source = gantry.directory() / "first.c";
  std::ofstream(source) << R"(
#include <math.h>
#include "gantry/driver.h"
GANTRY_MANIFEST("id = 'first'\nversion = '1.0'\ndescription = 'the first host'\ntopics = ['compute']\nthreads = 'reentrant'\n");
static const gantry_host *host;
static gantry_code create(const gantry_host *given, gantry_call *call, const gantry_options *options, gantry_driver **out) {
  (void)call; (void)options; host = given; *out = (gantry_driver *)&host; return GANTRY_OK;
}
static void destroy(gantry_driver *driver) { (void)driver; }
static gantry_code place(gantry_driver *driver, gantry_call *call, const gantry_request *request) {
  (void)driver;
  if (request->view->rows == 0) return GANTRY_NO_VALID_HOST;
  for (uint32_t i = 0; i < request->instances; ++i) {
    gantry_pick pick = {sizeof pick, i, 0, 0, NAN, {NAN, NAN, NAN, {NULL, 0}}};
    gantry_code code = host->pick(call, &pick);
    if (code != GANTRY_OK) return code;
  }
  return GANTRY_OK;
}
static const gantry_driver_ops ops = {sizeof ops, 0, create, destroy, place, place, NULL, NULL, NULL, NULL, NULL};
static const gantry_driver_info info = {GANTRY_MAGIC, sizeof info, GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR, {"first", 5}, {"1.0", 3}, &ops};
const gantry_driver_info *gantry_driver_entry(uint32_t major, uint32_t minor) { (void)major; (void)minor; return &info; }
)";
  const auto built = run_program({GANTRY_C_COMPILER, "-std=c11", "-shared", "-fPIC", "-fvisibility=hidden",
                                  std::string("-I") + GANTRY_SDK_INCLUDE, source.string(), "-o",
                                  (gantry.drivers() / "first.so").string()});
  ASSERT_EQ(built.exit_status, 0) << built.err;
  gantry.configure("\"first\"");
  gantry.start();
  gantry.simulate("[[hosts]]\nname = \"only\"\nvcpus = 1\nmemory_mb = 1024\nlocal_gb = 10\n");
  ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 1; }));
  EXPECT_EQ(gantry.ask({"select", "--flavor", "m1.tiny"}).as_array().at(0).at("host").as_string(), "only");
}

}  // namespace
}  // namespace gantry::test
