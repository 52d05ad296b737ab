// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/simulation_file.hpp"

#include <gmock/gmock.h>

namespace gantry::cli::agent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(std::string_view text) {
  auto hosts = parse_simulation(text, "fleet.toml");
  EXPECT_FALSE(hosts) << text;
  if (hosts) return "";
  EXPECT_EQ(hosts.error().code, ErrorCode::invalid_configuration);
  return hosts.error().message;
}

TEST(SimulationFile, DescribesHosts) {
  auto hosts = parse_simulation(R"(
[[hosts]]
name = "doc-{1..3}"
vcpus = 4
memory_mb = 2048
local_gb = 50
stats = { rack = "r1", weight = 1.5, memory_mb_used = 100 }
boot_seconds = 0.5
[[hosts]]
name = "bad"
topic = "volume"
launch = "fail: no image"
)",
                                "fleet.toml");
  ASSERT_TRUE(hosts) << hosts.error().message;
  ASSERT_EQ(hosts->size(), 4u);
  EXPECT_EQ((*hosts)[2].name, "doc-3");
  EXPECT_EQ((*hosts)[0].vcpus, 4);
  EXPECT_EQ((*hosts)[0].boot_time, std::chrono::milliseconds(500));
  EXPECT_EQ(json::find_string((*hosts)[0].stats, "rack"), "r1");
  EXPECT_EQ((*hosts)[3].topic, "volume");
  EXPECT_EQ((*hosts)[3].fault, "no image");
}

TEST(SimulationFile, CountsHostsToo) {
  auto hosts = parse_simulation("[[hosts]]\nname = 'c'\ncount = 1000\n", "fleet.toml");
  ASSERT_TRUE(hosts);
  EXPECT_EQ(hosts->size(), 1000u);
  EXPECT_EQ(hosts->back().name, "c1000");
}

TEST(SimulationFile, ExpandsRanges) {
  EXPECT_THAT(*expand_name("c{8..10}x"), ElementsAre("c8x", "c9x", "c10x"));
  EXPECT_THAT(*expand_name("c{08..10}"), ElementsAre("c08", "c09", "c10"));
  EXPECT_THAT(*expand_name("c"), ElementsAre("c"));
  for (const char* wrong : {"c{1..", "c{..3}", "c{3..1}", "c{a..b}", "c{1..2}{1..2}", "c}", "c{1}", "c{0..4000000000}"})
    EXPECT_FALSE(expand_name(wrong)) << wrong;
}

TEST(SimulationFile, NamesPlaceKeyExpectedAndFound) {
  EXPECT_THAT(refusal("[[hosts]]\nname = 'c'\nvcpus = 'four'\n"),
              testing::AllOf(StartsWith("fleet.toml:3:1: hosts.vcpus: expected a whole number"), HasSubstr("four")));
  EXPECT_THAT(refusal("[[hosts]]\nname = 'c'\nvcpus = -1\n"), HasSubstr("from 0 to 2147483647"));
  EXPECT_THAT(refusal("[[hosts]]\nname = 'c'\nmemory_mb = 9000000000000\n"), HasSubstr("from 0 to 2147483647"));
  EXPECT_THAT(refusal("[[hosts]]\nname = '" + std::string(300, 'y') + "'\n"),
              HasSubstr("hosts.name: expected at most 255 characters, found 300"));
  EXPECT_THAT(refusal("[[hosts]]\nname = 'c'\nlaunch = 'maybe'\n"), HasSubstr("\"ok\" or \"fail: why\""));
  EXPECT_THAT(refusal("[[hosts]]\nname = 'c'\nboot_seconds = 'soon'\n"),
              HasSubstr("hosts.boot_seconds: expected seconds"));
  EXPECT_THAT(refusal("[[hosts]]\nname = 'c'\nstats = 1\n"), HasSubstr("hosts.stats: expected a table"));
  EXPECT_THAT(refusal("[[hosts]]\nname = 5\n"), HasSubstr("hosts.name: expected text"));
}

TEST(SimulationFile, SuggestsTheNearestKey) {
  EXPECT_THAT(refusal("[[hosts]]\nname = 'c'\nmemory = 5\nvcpu = 1\n"), HasSubstr("did you mean"));
}

TEST(SimulationFile, RefusesATextThatDescribesNoFleet) {
  EXPECT_THAT(refusal(""), HasSubstr("expected at least one [[hosts]]"));
  EXPECT_THAT(refusal("[[hosts]]\nvcpus = 1\n"), HasSubstr("hosts.name: expected a name"));
  EXPECT_THAT(refusal("[[host]]\nname = 'c'\n"), HasSubstr("expected [[hosts]]"));
  EXPECT_THAT(refusal("hosts = [1]\n"), HasSubstr("[[hosts]]"));
  EXPECT_THAT(refusal("[[hosts]\n"), StartsWith("fleet.toml:1:"));
  EXPECT_THAT(refusal("[[hosts]]\nname = 'c'\n[[hosts]]\nname = 'c'\n"), HasSubstr("c is described twice"));
  EXPECT_THAT(refusal("[[hosts]]\nname = 'c{1..2}'\ncount = 2\n"), HasSubstr("found both"));
}

}  // namespace
}  // namespace gantry::cli::agent
