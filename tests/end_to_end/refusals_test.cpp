// SPDX-License-Identifier: Apache-2.0
//
// What a deployer gets wrong, and is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/end_to_end/site_driver.hpp"

namespace gantry::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int configuration_refused = 78;

class Refusals : public ::testing::Test {
 protected:
  void expect_refused(const ::testing::Matcher<std::string>& words) {
    const auto started = gantry.start_refused();
    EXPECT_EQ(started.exit_status, configuration_refused) << started.err;
    EXPECT_THAT(started.err, words);
    const std::string programs = std::string(GANTRY_BIN_DIRECTORY) + "/";
    for (const std::vector<std::string>& check :
         {std::vector<std::string>{programs + "gantry", "config", "check", "--config", gantry.config_file()},
          {programs + "gantryd", "--check-config", "--config", gantry.config_file()}}) {
      const auto checked = run_program(check);
      EXPECT_EQ(checked.exit_status, configuration_refused) << checked.out << checked.err;
      EXPECT_THAT(checked.out + checked.err, words);
    }
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

TEST_F(Refusals, AnOptionThatADriverRequiresIsMissedWithoutASectionOfTheDriver) {
  build({.manifest = "[options.reserve]\\ntype = 'integer'\\nhelp = 'kept free'\\nrequired = true\\n"}, gantry);
  gantry.configure("\"first\"");
  expect_refused(AllOf(HasSubstr("reserve"), HasSubstr("requires")));
}

TEST_F(Refusals, TwoDriversThatTakeOneReportedFieldForTwoTypesAreBothNamed) {
  build({.manifest = "[columns]\\nneeds = ['stats.free_capacity_gb:string']\\n"}, gantry);
  gantry.configure("[\"first\", \"volume\"]");
  expect_refused(AllOf(HasSubstr("stats.free_capacity_gb"), HasSubstr("first"), HasSubstr("volume"),
                       HasSubstr("string"), HasSubstr("f64")));
}

TEST_F(Refusals, AColumnThatTheCoreDoesNotHaveIsNamed) {
  build({.manifest = "[columns]\\nneeds = ['rack']\\n"}, gantry);
  gantry.configure("\"first\"");
  expect_refused(AllOf(HasSubstr("first"), HasSubstr("rack"), HasSubstr("stats.")));
}

TEST_F(Refusals, ACheckFindsTheCertificateAndTheGroupThatAStartWouldRefuse) {
  const auto none = (gantry.directory() / "none.pem").string();
  gantry.configure("\"simple\"", "server.socket_group = \"no-such-group\"\nserver.tls_certificate = \"" + none +
                                     "\"\nserver.tls_key = \"" + none + "\"\n");
  EXPECT_EQ(gantry.start_refused().exit_status, configuration_refused);
  const auto checked =
      run_program({std::string(GANTRY_BIN_DIRECTORY) + "/gantryd", "--check-config", "--config", gantry.config_file()});
  EXPECT_EQ(checked.exit_status, configuration_refused);
  EXPECT_THAT(checked.err, AllOf(HasSubstr("server.socket_group 'no-such-group': expected a group of this system"),
                                 HasSubstr("expected a PEM file, found none")));
}

TEST_F(Refusals, ADriverThatIsNotRequiredIsSkippedAndSaid) {
  gantry.configure("[\"simple\", \"volume\"]", "[driver.volume]\nrequired = false\n");
  std::filesystem::remove(gantry.drivers() / "volume.so");
  gantry.start();
  EXPECT_EQ(gantry.ask({"status"}).at("skipped_drivers").as_array().size(), 1U);
  EXPECT_THAT(gantry.log(), HasSubstr("volume"));
  const std::string programs = std::string(GANTRY_BIN_DIRECTORY) + "/";
  for (const std::vector<std::string>& check :
       {std::vector<std::string>{programs + "gantry", "config", "check", "--config", gantry.config_file()},
        {programs + "gantryd", "--check-config", "--config", gantry.config_file()}}) {
    const auto checked = run_program(check);
    EXPECT_EQ(checked.exit_status, 0);
    EXPECT_THAT(checked.err, AllOf(HasSubstr("warning"), HasSubstr("volume")));
    EXPECT_THAT(checked.out, HasSubstr("valid"));
  }
}

TEST_F(Refusals, ADriverWrittenInCAgainstTheHeaderAloneIsDroppedInAndSchedules) {
  build({}, gantry);
  gantry.configure("\"first\"");
  gantry.start();
  gantry.simulate("[[hosts]]\nname = \"only\"\nvcpus = 1\nmemory_mb = 1024\nlocal_gb = 10\n");
  ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 1; }));
  EXPECT_EQ(gantry.ask({"select", "--flavor", "m1.tiny"}).as_array().at(0).at("host").as_string(), "only");
}

}  // namespace
}  // namespace gantry::test
