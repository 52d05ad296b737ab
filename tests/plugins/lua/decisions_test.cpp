// SPDX-License-Identifier: Apache-2.0
//
// The decisions of a policy in Lua.
#include <gmock/gmock.h>

#include <set>

#include "policy_fixture.hpp"

namespace gantry::tests {
namespace {

using ::testing::HasSubstr;
using testing::host_row;

std::vector<host_row> racks() {
  host_row a{"a"};
  a.columns = {{"stats.rack", std::string("r1")}, {"free_ram_mb", 100.0}, {"stats.power", 30.0}};
  a.aggregates = {{1, "fast", {{"ssd", "true"}}}};
  a.vcpus_used = 8;
  host_row b{"b"};
  b.columns = {{"stats.rack", std::string("r2")}, {"free_ram_mb", 300.0}, {"stats.power", 10.0}};
  b.vcpus_used = 4;
  host_row c{"c"};
  c.columns = {{"free_ram_mb", 200.0}};
  c.aggregates = {{1, "fast", {{"ssd", "true"}}}};
  c.vcpus_used = 12;
  host_row down{"d"};
  down.up = false;
  return {a, b, c, down};
}

class LuaDecisions : public LuaPolicy {
 protected:
  LuaDecisions() : LuaPolicy(racks()) {}
};

TEST_F(LuaDecisions, KeepTheHostsThatAFunctionOfOneHostAccepts) {
  EXPECT_EQ(decide("filter 'rack' { host = function(host) return host.stats.rack == 'r2' end }"), "b");
}

TEST_F(LuaDecisions, KeepTheHostsThatAFunctionOfColumnsMarks) {
  EXPECT_EQ(
      decide("filter 'f' { columns = function(view, request) return view.free_ram_mb:at_least(request.memory_mb) & "
             "view.stats.rack:known() end }",
             {.memory_mb = 150}),
      "b");
  EXPECT_EQ(decide("filter 'f' { columns = function(view) return ~view.stats.rack:one_of{'r1', 'r2'} end }"), "c");
  EXPECT_EQ(
      decide("filter 'f' { columns = function(view) return view.stats.rack:where(function(r) return r > 'r1' end) "
             "end }"),
      "b");
}

// A daemon has a column stats.NAME only if a manifest declares it. All that a host reports is in the document `stats`.
class LuaStats : public LuaPolicy {
 protected:
  LuaStats()
      : LuaPolicy({reporting("a", R"({"rack": "r1", "power": 30, "ssd": true})"),
                   reporting("b", R"({"rack": "r2", "power": 10.5, "ssd": false})"),
                   reporting("c", R"({"rack": 2, "power": "30", "ssd": false})"), host_row{"d"}}) {}

  static host_row reporting(const char* name, const char* stats) {
    host_row row{name};
    row.columns = {{"stats", testing::json_text{stats}}};
    return row;
  }
};

TEST_F(LuaStats, AreReadFromWhatHostsReport) {
  EXPECT_EQ(decide("filter 'f' { host = function(host) return host.stats.rack == 'r2' end }"), "b");
  EXPECT_EQ(decide("filter 'f' { columns = function(view) return view.stats.power:at_most(20) end }"), "b");
}

TEST_F(LuaStats, OfAnotherTypeThanMostCountAsNotReported) {
  EXPECT_EQ(decide("filter 'f' { host = function(host) return host.host == 'c' and host.stats.rack == nil and "
                   "host.stats.power == nil and host.stats.ssd == false end }"),
            "c");
  EXPECT_THAT(decide("filter 'f' { needs = {'stats.none'}, host = function() return true end }"),
              HasSubstr("never reported stats.none"));
}

TEST_F(LuaStats, OfMoreThan64NamesAreRefused) {
  EXPECT_THAT(decide("filter 'f' { host = function(host) for n = 1, 65 do local x = host.stats['n' .. n] end end }"),
              HasSubstr("expected at most 64 different values of stats"));
}

TEST_F(LuaDecisions, ReadAggregates) {
  EXPECT_EQ(
      decide("local function ssd(list) for _, each in ipairs(list) do if each.metadata.ssd == 'true' then return true "
             "end end return false end\n"
             "filter 'f' { columns = function(view) return ~view.aggregates:where(ssd) & "
             "view.aggregates:known() | view.host:equals('b') end }"),
      "b");
  EXPECT_EQ(decide("filter 'f' { host = function(host) return #(host.aggregates or {}) == 0 end }"), "b");
}

TEST_F(LuaDecisions, ReadTheRequest) {
  testing::fake_request request;
  request.hints = {{"rack", {"r1"}}};
  request.extra_specs = {{"site:least", "5"}};
  request.spec = R"({"x":{"y":[1,"two"]}})";
  EXPECT_EQ(decide("filter 'f' { host = function(host, request) return host.stats.rack == request.hints.rack[1] and "
                   "tonumber(request.extra_specs['site:least']) == 5 and request.spec.x.y[2] == 'two' end }",
                   request),
            "a");
}

TEST_F(LuaDecisions, PreferTheGreatestSumOfScores) {
  EXPECT_EQ(decide("weigh 'w' { host = function(host) return host.free_ram_mb end }"), "b");
  EXPECT_EQ(decide("weigh 'w' { multiplier = -1, columns = function(view) return view.free_ram_mb end }"), "a");
  EXPECT_EQ(decide("weigh 'w' { columns = function(view) return (view.vcpus_used / view.vcpus * 2):max(0) end }"), "c");
  EXPECT_EQ(decide("weigh 'w' { columns = function(view) return view.host:equals('a') end }"), "a");
  EXPECT_EQ(
      decide("weigh 'w' { columns = function(view) return view.host:equals('c'):choose(view.vcpus, -view.vcpus) end }"),
      "c");
}

TEST_F(LuaDecisions, GiveAHostWithoutAScoreTheWorst) {
  EXPECT_EQ(decide("weigh 'w' { columns = function(view) return view.stats.power end }"), "a");
  EXPECT_EQ(
      decide("weigh 'w' { multiplier = -1, needs = {'stats.power'}, host = function(host) return host.stats.power "
             "end }"),
      "b");
}

TEST_F(LuaDecisions, PassOverAHostWithoutANeededValueAndSaySo) {
  EXPECT_EQ(
      decide("filter 'racks' { needs = {'stats.rack'}, host = function(host) return host.stats.rack > 'r9' end }"),
      "1: racks: never reported stats.rack; the policy rejects them");
}

TEST_F(LuaDecisions, NameTheFilterAndItsReasonsWhereNoHostIsLeft) {
  load("filter 'power' { host = function(host) return false, 'host ' .. host.host .. ' is weak' end }");
  const auto outcome = select();
  EXPECT_EQ(outcome.code, GANTRY_NO_VALID_HOST);
  EXPECT_EQ(outcome.sentence, "power: host a is weak; host b is weak; host c is weak");
  ASSERT_NE(outcome.step("power"), nullptr);
  EXPECT_EQ(outcome.step("power")->hosts_in, 3u);
  EXPECT_EQ(outcome.step("power")->hosts_out, 0u);
}

TEST_F(LuaDecisions, CheckRoomAndSetLimitsUnlessToldOtherwise) {
  const testing::fake_request large{.vcpus = 253};
  EXPECT_THAT(decide("weigh 'w' { host = function() return 1 end }", large),
              HasSubstr("vcpus: 253 wanted, at most 252"));
  load("weigh 'w' { columns = function(view) return view.free_ram_mb end }");
  EXPECT_EQ(select({.vcpus = 1}).picks.at(0).limit_vcpu, 256);
  load("weigh 'w' { columns = function(view) return view.free_ram_mb end }", false);
  const auto free = select(large);
  EXPECT_EQ(free.picks.at(0).host, "b");
  EXPECT_NE(free.picks.at(0).limit_vcpu, free.picks.at(0).limit_vcpu) << "no limit";
}

TEST_F(LuaDecisions, CountWhatEarlierInstancesTook) {
  const testing::fake_request three{.instances = 3, .vcpus = 5, .memory_mb = 1};
  EXPECT_EQ(decide("weigh 'w' { multiplier = -1, host = function(host) return host.vcpus_used end }", three), "bab");
  EXPECT_EQ(decide("weigh 'w' { multiplier = -1, columns = function(view) return view.vcpus_used end }", three), "bab");
}

TEST_F(LuaDecisions, GoOnAfterALostClaimAndNameAlternates) {
  load("weigh 'w' { host = function(host) return host.free_ram_mb end }");
  testing::fake_request request;
  request.instance_uuids = {"11111111-1111-4111-8111-111111111111"};
  request.lost = {{0, 1}};
  request.alternates = 2;
  const auto outcome = select(request);
  ASSERT_EQ(outcome.code, GANTRY_OK) << outcome.sentence;
  EXPECT_EQ(outcome.picks.at(0).host, "c");
  EXPECT_EQ(outcome.lost.at(0).host, "b");
  EXPECT_EQ(hosts_of(outcome.alternates), std::vector<std::string>{"a"});
}

TEST_F(LuaDecisions, KeepToTheRulesOfAServerGroup) {
  testing::fake_request request{.instances = 3};
  request.group = testing::fake_group{};
  load("weigh 'w' { host = function() return 1 end }");
  const auto apart = select(request);
  ASSERT_EQ(apart.code, GANTRY_OK) << apart.sentence;
  const auto hosts = hosts_of(apart.picks);
  EXPECT_EQ(std::set<std::string>(hosts.begin(), hosts.end()).size(), 3u);
  EXPECT_EQ(apart.picks.at(0).group_limit, 1u);
  request.group->policy = "soft-affinity";
  request.group->member_rows = {2, 2, 0};
  EXPECT_EQ(decide("weigh 'w' { host = function(host) return host.group_members end }", request), "ccc");
  EXPECT_EQ(decide("weigh 'w' { columns = function(view) return view.group_members end }", request), "ccc");
}

TEST_F(LuaDecisions, OrderEqualsByTheSeedAndAgainAlike) {
  load("filter 'some' { host = function() return math.random() < 0.7 or math.random(3) == 1 end }");
  std::set<std::string> chosen;
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    host_.seed = seed;
    const auto first = select();
    host_.seed = seed;
    const auto again = select();
    ASSERT_EQ(first.code, again.code);
    if (first.code != GANTRY_OK) continue;
    EXPECT_EQ(first.picks.at(0).host, again.picks.at(0).host);
    chosen.insert(first.picks.at(0).host);
  }
  EXPECT_EQ(chosen.size(), 3u);
}

TEST_F(LuaDecisions, ExplainEachHostByEachFilterAndScore) {
  load(
      "filter 'ram' { host = function(host) return host.free_ram_mb > 150, ('only %d'):format(host.free_ram_mb) end }\n"
      "filter 'rack' { needs = {'stats.rack'}, host = function(host) return true end }\n"
      "weigh 'free' { multiplier = 2, columns = function(view) return view.free_ram_mb end }");
  testing::fake_request request;
  request.explain_hosts = GANTRY_EXPLAIN_ALL_FILTERS;
  const auto outcome = select(request);
  ASSERT_EQ(outcome.code, GANTRY_OK) << outcome.sentence;
  const auto* first = outcome.host_explanation("a");
  ASSERT_NE(first, nullptr);
  ASSERT_EQ(first->verdicts.size(), 2u);
  EXPECT_FALSE(first->verdicts[0].passed);
  EXPECT_EQ(first->verdicts[0].reason, "only 100");
  EXPECT_TRUE(first->verdicts[1].passed);
  const auto* third = outcome.host_explanation("c");
  ASSERT_NE(third, nullptr);
  EXPECT_EQ(third->verdicts.at(1).reason, "never reported stats.rack");
  const auto* second = outcome.host_explanation("b");
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->rank, 0u);
  ASSERT_EQ(second->terms.size(), 1u);
  EXPECT_EQ(second->terms[0].name, "free");
  EXPECT_EQ(second->terms[0].raw, 300);
  EXPECT_EQ(second->terms[0].multiplier, 2);
  EXPECT_NE(outcome.host_explanation("d"), nullptr);
}

TEST_F(LuaDecisions, GoThroughTablesInTheOrderOfTheirKeys) {
  testing::fake_request request;
  request.extra_specs = {{"b", "2"}, {"a", "1"}, {"c", "3"}};
  EXPECT_EQ(
      decide("filter 'f' { host = function(host, request) local all = '' for key, value in "
             "pairs(request.extra_specs) do all = all .. key .. value end return all == 'a1b2c3' and host.host == "
             "'b', all end }",
             request),
      "b");
}

}  // namespace
}  // namespace gantry::tests
