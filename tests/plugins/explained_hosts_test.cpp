// SPDX-License-Identifier: Apache-2.0
//
// The explanations of single hosts that the bundled drivers give to a request that asks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bundled_driver.hpp"

namespace gantry::tests {
namespace {

using ::testing::ElementsAre;
using testing::fake_host;
using testing::fake_request;
using ::testing::HasSubstr;
using testing::host_row;

// "host rank", or "host against: reason", of each explained host.
std::vector<std::string> told(const testing::outcome& outcome) {
  std::vector<std::string> all;
  for (const testing::explained_host& host : outcome.host_explanations) {
    std::string text = host.host;
    if (host.rank) text += " " + std::to_string(*host.rank);
    for (const testing::judged& verdict : host.verdicts) text += " " + verdict.name + ": " + verdict.reason;
    all.push_back(text);
  }
  return all;
}

std::vector<host_row> hosts() {
  host_row busy{"busy"};
  busy.vcpus_used = 8;
  host_row full{"full"};
  full.memory_mb_used = full.memory_mb;
  full.ram_allocation_ratio = 1;
  host_row off{"off"};
  off.disabled = true;
  off.columns["disabled_reason"] = std::string("new disks");
  host_row dead{"dead"};
  dead.up = false;
  dead.columns["last_seen_up"] = std::int64_t{1'700'000'000'000'000'000};
  host_row fenced{"fenced"};
  fenced.forced_down = true;
  return {busy, {"idle"}, full, off, dead, fenced, {"unwanted"}};
}

testing::outcome select(const std::string& driver, const std::vector<std::string>& needs) {
  fake_host host(hosts());
  host.needs = needs;
  if (driver == "ip") host.options.table("prefixes", {}).table("networks", {}).string("default_prefix", "i");
  fake_request request;
  request.vcpus = 2;
  request.memory_mb = 512;
  request.disk_gb = 1;
  request.instances = 2;
  request.ignore_hosts = {"unwanted"};
  request.explain_hosts = GANTRY_EXPLAIN_HOSTS;
  const auto made = host.create(*bundled_driver(driver));
  return made->select_destinations(request);
}

const std::vector<std::string> of_every_host{"host", "up", "disabled"};

TEST(ExplainedHosts, SimpleTellsTheOrderOfChoiceAndWhatEachOtherHostLacks) {
  const auto outcome = select(
      "simple", {"host", "up", "disabled", "vcpus", "vcpus_used", "cpu_allocation_ratio", "memory_mb", "memory_mb_used",
                 "ram_allocation_ratio", "local_gb", "local_gb_used", "disk_allocation_ratio"});
  EXPECT_EQ(outcome.code, GANTRY_OK);
  EXPECT_THAT(told(outcome),
              ElementsAre("idle 0", "busy 1", "full memory_mb: 512 wanted, 0 free", "off up: disabled: new disks",
                          "dead up: down, last seen up at 2023-11-14T22:13:20Z", "fenced up: forced down",
                          "unwanted ignore_hosts: named in the request's ignore_hosts"));
  EXPECT_GT(*outcome.host_explanations[0].weight, *outcome.host_explanations[1].weight);
  EXPECT_THAT(outcome.misuse, ElementsAre());
}

TEST(ExplainedHosts, ChanceTellsWhoWasAgainstEachHost) {
  const auto outcome = select("chance", of_every_host);
  EXPECT_THAT(told(outcome),
              ElementsAre("busy", "idle", "full", "off up: disabled: new disks", HasSubstr("dead up: down"),
                          "fenced up: forced down", HasSubstr("unwanted ignore_hosts")));
  EXPECT_THAT(outcome.misuse, ElementsAre());
}

TEST(ExplainedHosts, IpTellsWhoseNameIsAnother) {
  const auto outcome = select("ip", of_every_host);
  EXPECT_THAT(told(outcome), ElementsAre("idle", HasSubstr("off up"), HasSubstr("dead up"), HasSubstr("fenced up"),
                                         HasSubstr("unwanted ignore_hosts"), HasSubstr("busy prefix: a request from"),
                                         HasSubstr("full prefix: a request from")));
  EXPECT_THAT(outcome.misuse, ElementsAre());
}

TEST(ExplainedHosts, AreToldOnlyIfTheRequestAsks) {
  fake_host host(hosts());
  host.needs = of_every_host;
  EXPECT_TRUE(host.create(*bundled_driver("chance"))->select_destinations({}).host_explanations.empty());
}

}  // namespace
}  // namespace gantry::tests
