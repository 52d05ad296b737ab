// SPDX-License-Identifier: Apache-2.0
//
// `gantry driver list`: what the daemon runs, and the grade of a test.
#include <gmock/gmock.h>

#include "core/encoding/json.hpp"
#include "tests/cli/fake_daemon.hpp"
#include "tests/drivers/trusted_directory.hpp"

namespace gantry::cli::test {
namespace {

class DriverList : public testing::Test {
 protected:
  DriverList() {
    directory_.add(std::string(GANTRY_DRIVERS) + "/chance.so", "chance.so");
    directory_.write("gantry.toml",
                     "scheduler_driver = 'chance'\ndriver_directories = ['" + directory_.path().string() + "']\n");
  }

  json::object listed() {
    const Ran ran =
        run(daemon_, {"--config", (directory_.path() / "gantry.toml").string(), "driver", "list", "-o", "json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto rows = json::parse(ran.out);
    return rows && rows->is_array() && !rows->get_array().empty() ? rows->get_array().front().get_object()
                                                                  : json::object();
  }
  std::string member(std::string_view key) { return std::string(json::find_string(listed(), key).value_or("none")); }
  void daemon_runs(const std::string& sha256) {
    daemon_.on("status", R"({"drivers": [{"id": "chance", "sha256": ")" + sha256 + R"("}]})");
  }

  drivers::TrustedDirectory directory_;
  FakeDaemon daemon_;
};

TEST_F(DriverList, SaysWhetherTheDaemonRunsTheFile) {
  EXPECT_EQ(member("running"), "none");
  daemon_runs(member("sha256"));
  EXPECT_EQ(member("running"), "same");
  daemon_runs(std::string(64, '0'));
  EXPECT_EQ(member("running"), "changed");
  daemon_.on("status", R"({"drivers": []})");
  EXPECT_EQ(member("running"), "no");
}

TEST_F(DriverList, ShowsTheBuildId) {
  EXPECT_EQ(member("build_id").size(), 40u);
}

TEST_F(DriverList, ShowsTheGradeOfThisContentAlone) {
  EXPECT_EQ(member("grade"), "none");
  const std::string sha256 = member("sha256");
  directory_.write("chance.so.test.json", R"({"grade": "gold", "sha256": ")" + sha256 + R"("})");
  EXPECT_EQ(member("grade"), "gold");
  directory_.write("chance.so.test.json", R"({"grade": "gold", "sha256": ")" + std::string(64, '0') + R"("})");
  EXPECT_EQ(member("grade"), "none");
  directory_.write("chance.so.test.json", "no JSON");
  EXPECT_EQ(member("grade"), "none");
}

}  // namespace
}  // namespace gantry::cli::test
