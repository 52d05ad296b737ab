// SPDX-License-Identifier: Apache-2.0
#include "core/cli/upkeep/compare_command.hpp"

#include <gtest/gtest.h>

namespace gantry::cli {
namespace {

json::array findings_of(const char* fleet) {
  return compare_fleet(*json::parse_object(fleet)).at("findings").get_array();
}

TEST(FleetCompare, FindsWhatWasCreatedDeletedAndMovedSince) {
  const auto findings = findings_of(R"({"hosts": [
      {"host": "h1", "sampled_at": "2026-11-24T10:00:00Z", "compute_node": {"instances": ["new", "moved"]},
       "instances": [{"uuid": "gone", "name": "web", "active_at": "2026-11-24T09:00:00Z"}]},
      {"host": "h2", "sampled_at": "2026-11-24T10:00:00Z", "compute_node": {"instances": ["same"]},
       "instances": [{"uuid": "moved"}, {"uuid": "same"}]}]})");
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].at("instance").as_string(), "moved");
  EXPECT_EQ(findings[0].at("host").as_string(), "h2");
  EXPECT_EQ(findings[0].at("reported_by").as_string(), "h1");
  EXPECT_EQ(findings[0].at("what").as_string(), "runs on another host");
  EXPECT_EQ(findings[1].at("instance").as_string(), "new");
  EXPECT_EQ(findings[1].at("what").as_string(), "runs, and is not on record");
  EXPECT_EQ(findings[2].at("instance").as_string(), "gone");
  EXPECT_EQ(findings[2].at("name").as_string(), "web");
  EXPECT_EQ(findings[2].at("what").as_string(), "on record, and its host does not report it");
}

TEST(FleetCompare, WaitsForAReportFromAfterTheStart) {
  EXPECT_TRUE(findings_of(R"({"hosts": [
      {"host": "h1", "sampled_at": "2026-11-24T10:00:00Z", "compute_node": {"instances": []},
       "instances": [{"uuid": "young", "active_at": "2026-11-24T10:00:01Z"}, {"uuid": "soon", "vm_state": "building"},
                     {"uuid": "past", "vm_state": "deleted"}]}]})")
                  .empty());
}

TEST(FleetCompare, AHostThatDoesNotSayWhatItRunsIsSilentAndOfOtherTopicsNothingIsAsked) {
  const auto compared = compare_fleet(*json::parse_object(R"({"hosts": [
      {"host": "quiet", "compute_node": {"vcpus": 4}, "instances": [{"uuid": "there"}]},
      {"topic": "volume", "host": "disk"}, {"host": "h1", "compute_node": {"instances": []}}],
      "instances": [{"uuid": "nowhere", "vm_state": "error"}]})"));
  EXPECT_TRUE(compared.at("findings").get_array().empty());
  EXPECT_EQ(json::write(compared.at("silent_hosts")), R"(["quiet"])");
  EXPECT_EQ(compared.at("hosts").to_number<int>(), 1);
  EXPECT_EQ(compared.at("servers").to_number<int>(), 2);
}

}  // namespace
}  // namespace gantry::cli
