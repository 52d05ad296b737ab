// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bundled_driver.hpp"

namespace gantry::tests {
namespace {

using ::testing::ElementsAre;
using testing::fake_group;
using testing::fake_host;
using testing::fake_request;
using ::testing::HasSubstr;
using testing::host_row;
using ::testing::StartsWith;

// 16 vcpus that count once, 64 GiB and 1000 GB that count once.
host_row plain(const std::string& name, double vcpus_used = 0, const std::string& node = "") {
  host_row row{name, node};
  row.cpu_allocation_ratio = 1;
  row.ram_allocation_ratio = 1;
  row.vcpus_used = vcpus_used;
  return row;
}

fake_request small() {
  fake_request request;
  request.vcpus = 2;
  request.memory_mb = 2048;
  request.disk_gb = 20;
  return request;
}

class Simple : public ::testing::Test {
 protected:
  void use(std::vector<host_row> rows) {
    host_ = std::make_unique<fake_host>(std::move(rows));
    host_->needs = {"host",           "up",       "disabled",     "vcpus", "vcpus_used", "memory_mb",
                    "memory_mb_used", "local_gb", "local_gb_used"};
    driver_ = host_->create(*bundled_driver("simple"));
    ASSERT_NE(driver_, nullptr);
  }
  std::vector<std::string> hosts_for(const fake_request& request) {
    const auto outcome = driver_->select_destinations(request);
    EXPECT_EQ(outcome.code, GANTRY_OK) << outcome.sentence;
    EXPECT_THAT(outcome.misuse, ElementsAre());
    EXPECT_THAT(outcome.lost, ::testing::IsEmpty());
    return hosts_of(outcome.picks);
  }

  std::unique_ptr<fake_host> host_;
  std::unique_ptr<testing::fake_driver> driver_;
};

TEST_F(Simple, TakesTheLeastLoadedHost) {
  use({plain("a", 8), plain("b", 4), plain("c", 12)});
  EXPECT_THAT(hosts_for(small()), ElementsAre("b"));
}

TEST_F(Simple, JudgesAHostByItsFullestResource) {
  use({plain("a", 0), plain("b", 4)});
  host_->rows()[0].memory_mb_used = 60000.0;
  EXPECT_THAT(hosts_for(small()), ElementsAre("b"));
  host_->rows()[1].local_gb_used = 970.0;
  EXPECT_THAT(hosts_for(small()), ElementsAre("a"));
}

TEST_F(Simple, TakesTheFirstRowAmongEquals) {
  use({plain("a", 4), plain("b"), plain("c")});
  EXPECT_THAT(hosts_for(small()), ElementsAre("b"));
}

TEST_F(Simple, CountsWhatItsOwnInstancesTake) {
  use({plain("a"), plain("b"), plain("c", 6)});
  fake_request request = small();
  request.instances = 8;
  request.instance_uuids = {"1", "2", "3", "4", "5", "6", "7", "8"};
  EXPECT_THAT(hosts_for(request), ElementsAre("a", "b", "a", "b", "a", "b", "a", "b"));
  request.instances = 3;
  request.instance_uuids = {"9", "10", "11"};
  EXPECT_THAT(hosts_for(request), ElementsAre("c", "a", "b"));
}

TEST_F(Simple, SetsLimitsFromCapacityAndAllocationRatio) {
  use({host_row{"a"}});
  const auto outcome = driver_->select_destinations(small());
  EXPECT_EQ(outcome.picks.at(0).limit_vcpu, 256);
  EXPECT_EQ(outcome.picks.at(0).limit_memory_mb, 98304);
  EXPECT_EQ(outcome.picks.at(0).limit_disk_gb, 1000);
  EXPECT_NEAR(outcome.picks.at(0).weight, 1 - 2048.0 / 98304, 1e-12);
}

TEST_F(Simple, FillsAHostToItsLimitAndNotBeyond) {
  use({plain("a", 12)});
  fake_request request = small();
  request.instances = 2;
  request.instance_uuids = {"1", "2"};
  EXPECT_THAT(hosts_for(request), ElementsAre("a", "a"));
  EXPECT_EQ(driver_->select_destinations(small()).code, GANTRY_NO_VALID_HOST);
}

TEST_F(Simple, PlacesAnInstanceWithoutDiskOnAHostWithoutDisk) {
  use({plain("a")});
  host_->rows()[0].local_gb = 0;
  EXPECT_EQ(driver_->select_destinations(small()).code, GANTRY_NO_VALID_HOST);
  fake_request request = small();
  request.disk_gb = 0;
  EXPECT_THAT(hosts_for(request), ElementsAre("a"));
}

TEST_F(Simple, PassesOverHostsThatAreDownDisabledIgnoredOrSilent) {
  use({plain("a"), plain("b"), plain("c"), plain("d"), plain("e", 8)});
  host_->rows()[0].up = false;
  host_->rows()[1].disabled = true;
  host_->rows()[2].vcpus = std::nullopt;
  fake_request request = small();
  request.ignore_hosts = {"d"};
  const auto outcome = driver_->select_destinations(request);
  EXPECT_THAT(hosts_of(outcome.picks), ElementsAre("e"));
  EXPECT_EQ(outcome.step("up")->hosts_out, 3u);
  EXPECT_EQ(outcome.step("ignore_hosts")->hosts_out, 2u);
  EXPECT_EQ(outcome.step("complete")->hosts_out, 1u);
}

TEST_F(Simple, KeepsToTheZoneThatIsAskedFor) {
  use({plain("a"), plain("b", 8)});
  host_->rows()[1].availability_zone = "east";
  fake_request request = small();
  request.availability_zone = "east";
  EXPECT_THAT(hosts_for(request), ElementsAre("b"));
  request.availability_zone = "south";
  const auto outcome = driver_->select_destinations(request);
  EXPECT_EQ(outcome.code, GANTRY_NO_VALID_HOST);
  EXPECT_THAT(outcome.sentence, StartsWith("availability_zone: zone 'south' wanted, "));
  EXPECT_THAT(outcome.sentence, HasSubstr("'east' there"));
}

TEST_F(Simple, HonoursForcedHostsAndNodesAndTheRequestedDestination) {
  use({plain("a"), plain("b", 2, "n1"), plain("b", 4, "n2"), plain("c", 6, "n2")});
  fake_request request = small();
  request.force_hosts = {"b", "c"};
  EXPECT_THAT(hosts_for(request), ElementsAre("b"));
  request.force_nodes = {"n2"};
  EXPECT_EQ(driver_->select_destinations(request).picks.at(0).node, "n2");
  fake_request requested = small();
  requested.requested_host = "c";
  EXPECT_THAT(hosts_for(requested), ElementsAre("c"));
  requested.requested_node = "n9";
  EXPECT_EQ(driver_->select_destinations(requested).code, GANTRY_NO_VALID_HOST);
}

TEST_F(Simple, SaysWhatWasWantedAndTheMostThatWasFree) {
  use({plain("a", 12), plain("b", 14)});
  fake_request request = small();
  request.vcpus = 6;
  const auto outcome = driver_->select_destinations(request);
  EXPECT_EQ(outcome.code, GANTRY_NO_VALID_HOST);
  EXPECT_EQ(outcome.sentence, "vcpus: 6 wanted, at most 4 free on a host");
  ASSERT_NE(outcome.step("vcpus"), nullptr);
  EXPECT_EQ(outcome.step("vcpus")->hosts_in, 2u);
  EXPECT_EQ(outcome.step("vcpus")->hosts_out, 0u);
}

TEST_F(Simple, CountsEachResourceAmongTheHostsThatTheOneBeforeLeft) {
  use({plain("a", 15), plain("b"), plain("c"), plain("d")});
  host_->rows()[1].memory_mb_used = 65000.0;
  host_->rows()[2].local_gb_used = 990.0;
  host_->rows()[3].local_gb_used = 995.0;
  const auto outcome = driver_->select_destinations(small());
  EXPECT_EQ(outcome.step("vcpus")->hosts_out, 3u);
  EXPECT_EQ(outcome.step("vcpus")->reason, "less than 2 free");
  EXPECT_EQ(outcome.step("memory_mb")->hosts_out, 2u);
  EXPECT_EQ(outcome.step("disk_gb")->hosts_out, 0u);
  EXPECT_EQ(outcome.step("disk_gb")->reason, "20 wanted, at most 10 free on a host");
}

TEST_F(Simple, FailsAsAWholeWhenNotAllInstancesFit) {
  use({plain("a", 12)});
  fake_request request = small();
  request.instances = 3;
  const auto outcome = driver_->select_destinations(request);
  EXPECT_EQ(outcome.code, GANTRY_NO_VALID_HOST);
  EXPECT_EQ(outcome.sentence, "1 host had room for an instance, none is left after 2 instances of this request");
  ASSERT_NE(outcome.step("room"), nullptr);
  EXPECT_EQ(outcome.step("room")->instance, 2u);
}

TEST_F(Simple, PlacesWhatFitsInTheOlderFlow) {
  use({plain("a", 12)});
  fake_request request = small();
  request.instances = 3;
  const auto outcome = driver_->schedule_run_instance(request);
  EXPECT_EQ(outcome.code, GANTRY_OK);
  EXPECT_EQ(outcome.picks.size(), 2u);
  ASSERT_EQ(outcome.refusals.size(), 1u);
  EXPECT_EQ(outcome.refusals[0].instance, 2u);
  EXPECT_THAT(outcome.refusals[0].reason, HasSubstr("none is left"));
  EXPECT_THAT(outcome.misuse, ElementsAre());
}

TEST_F(Simple, TakesTheNextChoiceWhenAClaimIsLost) {
  use({plain("a"), plain("b", 2), plain("c", 4)});
  host_->admits = [](const testing::picked& pick) { return pick.host != "a"; };
  fake_request request = small();
  request.instances = 2;
  const auto outcome = driver_->select_destinations(request);
  EXPECT_THAT(hosts_of(outcome.picks), ElementsAre("b", "b"));
  EXPECT_THAT(hosts_of(outcome.lost), ElementsAre("a"));
  host_->admits = [](const testing::picked&) { return false; };
  EXPECT_THAT(driver_->select_destinations(request).sentence,
              HasSubstr("other requests were faster on each of 3 hosts"));
}

TEST_F(Simple, OffersTheNextBestAsAlternates) {
  use({plain("a"), plain("b", 2), plain("c", 4), plain("d", 15)});
  fake_request request = small();
  request.alternates = 5;
  request.instances = 2;
  const auto outcome = driver_->select_destinations(request);
  EXPECT_THAT(hosts_of(outcome.picks), ElementsAre("a", "a"));
  EXPECT_THAT(hosts_of(outcome.alternates), ElementsAre("b", "c", "b", "c"));
  EXPECT_EQ(outcome.alternates[0].limit_vcpu, 16);
  request.alternates = 1;
  EXPECT_EQ(driver_->select_destinations(request).alternates.size(), 2u);
}

TEST_F(Simple, KeepsOffHostsWithMembersUnderAntiAffinity) {
  use({plain("a", 0, "n1"), plain("a", 0, "n2"), plain("b", 6), plain("c", 8), plain("d", 10)});
  fake_request request = small();
  request.group = fake_group();
  request.group->member_rows = {0};
  request.group->hosts = {"c", "elsewhere"};
  request.instances = 2;
  EXPECT_THAT(hosts_for(request), ElementsAre("b", "d"));
  request.instances = 3;
  EXPECT_EQ(driver_->select_destinations(request).code, GANTRY_NO_VALID_HOST);
}

TEST_F(Simple, AllowsAsManyMembersOnAHostAsTheRulesOfAntiAffinitySay) {
  use({plain("a"), plain("b", 10)});
  fake_request request = small();
  request.group = fake_group();
  request.group->rules = R"({"max_server_per_host": 2})";
  request.group->member_rows = {0};
  request.instances = 3;
  EXPECT_THAT(hosts_for(request), ElementsAre("a", "b", "b"));
}

TEST_F(Simple, KeepsToTheHostOfTheMembersUnderAffinity) {
  use({plain("a"), plain("b", 8), plain("c", 4)});
  fake_request request = small();
  request.group = fake_group();
  request.group->policy = "affinity";
  request.group->member_rows = {1};
  EXPECT_THAT(hosts_for(request), ElementsAre("b"));
  request.group->member_rows = {};
  request.group->hosts = {"c"};
  EXPECT_THAT(hosts_for(request), ElementsAre("c"));
}

TEST_F(Simple, KeepsARequestTogetherUnderAffinityWithoutMembers) {
  use({plain("a", 4), plain("b", 2), plain("c", 4)});
  fake_request request = small();
  request.group = fake_group();
  request.group->policy = "affinity";
  request.instances = 7;
  EXPECT_THAT(hosts_for(request), ::testing::Each("b"));
  request.instances = 8;
  EXPECT_EQ(driver_->select_destinations(request).code, GANTRY_NO_VALID_HOST);
}

TEST_F(Simple, IgnoresSoftGroupPolicies) {
  use({plain("a"), plain("b", 8)});
  fake_request request = small();
  request.group = fake_group();
  request.group->policy = "soft-anti-affinity";
  request.group->member_rows = {0};
  EXPECT_THAT(hosts_for(request), ElementsAre("a"));
}

TEST_F(Simple, FindsNoHostInAFleetWithoutHosts) {
  use({});
  EXPECT_EQ(driver_->select_destinations(small()).code, GANTRY_NO_VALID_HOST);
}

}  // namespace
}  // namespace gantry::tests
