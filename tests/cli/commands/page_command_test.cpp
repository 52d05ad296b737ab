// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <fstream>

#include "tests/cli/fake_daemon.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::cli::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class PageCommand : public ::testing::Test {
 protected:
  PageCommand() { configure("listen = [\"127.0.0.1:8774\"]\n"); }

  void configure(const std::string& server) {
    std::ofstream(file_) << "[server]\nsocket = \"/run/gantry/other.sock\"\n" << server;
  }
  Ran ui(std::vector<std::string> more = {}) {
    std::vector<std::string> words{"--config", file_, "ui"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }

  support::ScratchDirectory directory_;
  std::string file_ = directory_.path() + "/gantry.toml";
};

TEST_F(PageCommand, ShowsTheAddressTheWayFromAnotherMachineAndTheTokenItAsksFor) {
  const Ran ran = ui();
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("http://127.0.0.1:8774/ui/\n"));
  EXPECT_THAT(ran.out, HasSubstr("ssh -L 8774:127.0.0.1:8774 "));
  EXPECT_THAT(ran.out, HasSubstr("gantry token create --role reader"));
}

TEST_F(PageCommand, SaysNothingOfTokensWhereNoneIsRequired) {
  configure("listen = [\"[::1]:9000\"]\nrequire_tokens = false\n");
  const Ran ran = ui();
  EXPECT_THAT(ran.out, HasSubstr("http://[::1]:9000/ui/\n"));
  EXPECT_THAT(ran.out, HasSubstr("ssh -L 9000:[::1]:9000 "));
  EXPECT_THAT(ran.out, Not(HasSubstr("token")));
}

TEST_F(PageCommand, PrintsOnlyAddressesAsValues) {
  EXPECT_EQ(ui({"-o", "value"}).out, "http://127.0.0.1:8774/ui/\n");
}

TEST_F(PageCommand, PrintsJsonForPrograms) {
  const auto said = json::parse_object(ui({"-o", "json"}).out);
  ASSERT_TRUE(said);
  const auto& first = said->at("addresses").as_array().at(0).as_object();
  EXPECT_EQ(first.at("url"), "http://127.0.0.1:8774/ui/");
  EXPECT_THAT(std::string(first.at("ssh").as_string()), HasSubstr("ssh -L 8774:"));
  EXPECT_EQ(said->at("requires_token"), true);
}

TEST_F(PageCommand, TakesTheAddressOfAUrl) {
  const Ran ran = run({"--url", "https://scheduler:8774", "ui", "-o", "value"});
  EXPECT_EQ(ran.out, "https://scheduler:8774/ui/\n");
}

TEST_F(PageCommand, SaysWhatToSetWhereTheDaemonHasNoAddress) {
  configure("");
  const Ran ran = ui();
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, HasSubstr("set server.listen = [\"127.0.0.1:8774\"] in " + file_ + " and restart gantryd"));
}

TEST_F(PageCommand, RefusesTheConfigurationOfAnotherDaemon) {
  const Ran ran = ui({"--url", "unix:///run/gantry/mine.sock"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, HasSubstr("expected server.socket = /run/gantry/mine.sock, found /run/gantry/other.sock"));
}

}  // namespace
}  // namespace gantry::cli::test
