// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "bundled_driver.hpp"

namespace gantry::tests {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::fake_host;
using testing::fake_request;
using testing::host_row;

class Chance : public ::testing::Test {
 protected:
  testing::outcome select(std::vector<host_row> rows, const fake_request& request, std::uint64_t seed = 1) {
    fake_host host(std::move(rows));
    host.needs = {"host", "up", "disabled"};
    host.seed = seed;
    const auto driver = host.create(*bundled_driver("chance"));
    return driver->select_destinations(request);
  }

  static host_row down(const std::string& name) {
    host_row row{name};
    row.up = false;
    return row;
  }
  static host_row disabled(const std::string& name) {
    host_row row{name};
    row.disabled = true;
    return row;
  }
};

TEST_F(Chance, UsesOnlyHostsThatAreUpAndNotDisabled) {
  fake_request request;
  request.instances = 50;
  const auto outcome = select({down("a"), {"b"}, disabled("c"), down("d")}, request);
  EXPECT_EQ(outcome.code, GANTRY_OK);
  EXPECT_EQ(outcome.picks.size(), 50u);
  EXPECT_THAT(hosts_of(outcome.picks), Each("b"));
  EXPECT_THAT(outcome.misuse, ElementsAre());
}

TEST_F(Chance, AsksWhetherTheServiceRunsWhenNoHostIsUp) {
  const auto outcome = select({down("a"), disabled("b")}, {});
  EXPECT_EQ(outcome.code, GANTRY_NO_VALID_HOST);
  EXPECT_EQ(outcome.sentence, "Is the appropriate service running? (up: the service is down or disabled)");
  EXPECT_EQ(select({}, {}).sentence, "Is the appropriate service running? (up: no host is known on this topic)");
}

TEST_F(Chance, FindsNoOtherComputeWhenAllHostsAreIgnored) {
  fake_request request;
  request.ignore_hosts = {"a", "b"};
  const auto outcome = select({{"a"}, {"b"}, down("c")}, request);
  EXPECT_EQ(outcome.code, GANTRY_NO_VALID_HOST);
  EXPECT_EQ(outcome.sentence, "Could not find another compute (ignore_hosts: named in the request's ignore_hosts)");
  ASSERT_NE(outcome.step("ignore_hosts"), nullptr);
  EXPECT_EQ(outcome.step("ignore_hosts")->hosts_in, 2u);
  EXPECT_EQ(outcome.step("ignore_hosts")->hosts_out, 0u);
}

TEST_F(Chance, IgnoresTheHostsThatTheRequestIgnores) {
  fake_request request;
  request.instances = 50;
  request.ignore_hosts = {"a", "c", "nobody"};
  EXPECT_THAT(hosts_of(select({{"a"}, {"b"}, {"c"}}, request).picks), Each("b"));
}

TEST_F(Chance, DoesNotHonourForcedHostsAsTheOriginalDidNot) {
  fake_request request;
  request.force_hosts = {"nobody"};
  EXPECT_EQ(select({{"a"}}, request).code, GANTRY_OK);
}

TEST_F(Chance, SetsNoLimits) {
  fake_request request;
  request.vcpus = 1000;
  const auto outcome = select({{"a"}}, request);
  ASSERT_EQ(outcome.picks.size(), 1u);
  EXPECT_TRUE(std::isnan(outcome.picks[0].limit_vcpu));
  EXPECT_TRUE(std::isnan(outcome.picks[0].limit_memory_mb));
  EXPECT_TRUE(std::isnan(outcome.picks[0].limit_disk_gb));
}

TEST_F(Chance, ChoosesEachHostAsOften) {
  std::vector<host_row> rows;
  for (int index = 0; index < 200; ++index) {
    rows.push_back(index % 2 == 0 ? host_row{"h" + std::to_string(index)} : down("h" + std::to_string(index)));
  }
  fake_request request;
  request.instances = 100'000;
  std::map<std::string, int> times;
  for (const std::string& host : hosts_of(select(rows, request, 7).picks)) ++times[host];
  ASSERT_EQ(times.size(), 100u);
  double chi_squared = 0;
  for (const auto& [host, count] : times) chi_squared += (count - 1000.0) * (count - 1000.0) / 1000.0;
  EXPECT_LT(chi_squared, 149);  // 99 degrees of freedom: one in a thousand seeds is above
}

TEST_F(Chance, DecidesTheSameForTheSameSeed) {
  std::vector<host_row> rows(100);
  for (std::size_t index = 0; index < rows.size(); ++index) rows[index].host = "h" + std::to_string(index);
  fake_request request;
  request.instances = 20;
  request.alternates = 3;
  const auto first = select(rows, request, 42);
  const auto second = select(rows, request, 42);
  EXPECT_EQ(hosts_of(first.picks), hosts_of(second.picks));
  EXPECT_EQ(hosts_of(first.alternates), hosts_of(second.alternates));
  EXPECT_NE(hosts_of(first.picks), hosts_of(select(rows, request, 43).picks));
}

TEST_F(Chance, OffersAlternatesThatDiffer) {
  fake_request request;
  request.alternates = 5;
  const auto outcome = select({{"a"}, {"b"}, {"c"}}, request);
  std::vector<std::string> all = hosts_of(outcome.alternates);
  all.push_back(outcome.picks.at(0).host);
  EXPECT_THAT(all, ::testing::UnorderedElementsAre("a", "b", "c"));
}

TEST_F(Chance, GoesOnWhenAClaimIsLost) {
  fake_host host({{"a"}, {"b"}, {"c"}});
  host.admits = [](const testing::picked& pick) { return pick.host == "c"; };
  const auto driver = host.create(*bundled_driver("chance"));
  EXPECT_THAT(hosts_of(driver->select_destinations({}).picks), ElementsAre("c"));
}

TEST_F(Chance, RefusesEachInstanceOnItsOwnInTheOlderFlow) {
  fake_host host({down("a")});
  const auto driver = host.create(*bundled_driver("chance"));
  fake_request request;
  request.instances = 2;
  const auto outcome = driver->schedule_run_instance(request);
  EXPECT_EQ(outcome.code, GANTRY_OK);
  ASSERT_EQ(outcome.refusals.size(), 2u);
  EXPECT_EQ(outcome.refusals[1].reason, "Is the appropriate service running? (up: the service is down or disabled)");
  EXPECT_THAT(outcome.misuse, ElementsAre());
}

TEST_F(Chance, StopsAtTheDeadline) {
  fake_host host({{"a"}});
  const auto driver = host.create(*bundled_driver("chance"));
  host.stop = true;
  EXPECT_EQ(driver->select_destinations({}).code, GANTRY_DEADLINE_EXCEEDED);
}

}  // namespace
}  // namespace gantry::tests
