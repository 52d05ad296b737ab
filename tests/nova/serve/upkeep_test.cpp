// SPDX-License-Identifier: Apache-2.0
//
// Backup, restore and the check before an upgrade, of what a Gantry in the place of nova-scheduler keeps beside Nova's databases.
#include "tests/nova/serve/served_nova.hpp"

namespace gantry::nova {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct IsKeptUp : ServedNova {
  test::Ran with_config(std::vector<std::string> words) const {
    words.insert(words.end(), {"--config", gantry.config_file()});
    return gantry.gantry(words);
  }
};

TEST_F(IsKeptUp, ByABackupOfTokensAndOtherTopicsAfterWhichNoComputeHostWaits) {
  serve();
  const auto file = (gantry.directory() / "nova.backup").string();
  ASSERT_EQ(gantry.gantry({"token", "create", "--role", "reader", "kept"}).exit_status, 0);
  answer("service_register", R"({"topic":"volume","host":"v1"})");
  const auto written = with_config({"-o", "json", "backup", file});
  ASSERT_EQ(written.exit_status, 0) << written.err;
  const auto documents = written.json().at("documents");
  EXPECT_EQ(documents.at("services"), 1) << "compute services are Nova's";
  EXPECT_EQ(documents.at("tokens"), 1);
  ASSERT_EQ(gantry.gantry({"token", "create", "--role", "reader", "later"}).exit_status, 0);
  ASSERT_EQ(gantry.stop(), 0);
  const auto restored = with_config({"restore", "--tokens", "backup", file});
  ASSERT_EQ(restored.exit_status, 0) << restored.err;
  serve_again();
  EXPECT_THAT(hosts_of(select({next_uuid()})), ElementsAre("h1"));
  EXPECT_THAT(answer("status").at("unready_reasons").as_array(), IsEmpty());
  EXPECT_THAT(gantry.gantry({"token", "list"}).out, HasSubstr("kept"));
  EXPECT_EQ(gantry.list({"token", "list"}).size(), 1U);
}

TEST_F(IsKeptUp, ByACheckThatLeavesTheDeploymentToItsOwn) {
  serve();
  const auto found = with_config({"upgrade", "check"});
  EXPECT_EQ(found.exit_status, 0) << found.out;
  EXPECT_THAT(found.out, HasSubstr("gantry nova check"));
  EXPECT_THAT(found.out, Not(HasSubstr("compatibility")));
}

TEST_F(IsKeptUp, ByACheckThatWarnsOfADeploymentWhoseReleaseIsNotNamed) {
  configure("[driver.filter]\n");
  const auto found = with_config({"upgrade", "check"});
  EXPECT_EQ(found.exit_status, 1) << found.out;
  EXPECT_THAT(found.out, HasSubstr("[driver.filter] compatibility does not name the release of the deployment, which "
                                   "counts as hibiscus, the newest that this version knows"));
}

}  // namespace
}  // namespace gantry::nova
