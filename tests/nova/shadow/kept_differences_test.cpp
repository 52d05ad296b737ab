// SPDX-License-Identifier: Apache-2.0
#include "core/nova/shadow/kept_differences.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/support/scratch_directory.hpp"

namespace gantry::nova {
namespace {

TEST(KeptDifferences, ReplaceTheOldestAndAreForNobodyElseToRead) {
  const support::ScratchDirectory scratch;
  const auto directory = scratch.path() + "/shadow";
  const KeptDifferences kept(directory, 2);
  for (const auto* name : {"2026-01-01T00:00:00Z-a", "2026-01-02T00:00:00Z-b", "2026-01-03T00:00:00Z-c"})
    EXPECT_EQ(*kept.keep(name, "{}", "{}"), directory + "/" + name + ".fleet.json");
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(directory)) {
    names.push_back(file.path().filename().string());
    EXPECT_EQ(file.status().permissions(), std::filesystem::perms(0600));
  }
  EXPECT_THAT(names, ::testing::UnorderedElementsAre(
                         "2026-01-02T00:00:00Z-b.fleet.json", "2026-01-02T00:00:00Z-b.request.json",
                         "2026-01-03T00:00:00Z-c.fleet.json", "2026-01-03T00:00:00Z-c.request.json"));
}

TEST(KeptDifferences, OfNoneLeaveNoFile) {
  const support::ScratchDirectory scratch;
  const auto directory = scratch.path() + "/shadow";
  EXPECT_EQ(*KeptDifferences(directory, 0).keep("a", "{}", "{}"), "");
  EXPECT_FALSE(std::filesystem::exists(directory));
}

TEST(KeptDifferences, SayWhereTheyCannotBeWritten) {
  const support::ScratchDirectory scratch;
  const auto file = scratch.path() + "/file";
  std::ofstream(file) << "";
  const auto kept = KeptDifferences(file, 2).keep("a", "{}", "{}");
  ASSERT_FALSE(kept);
  EXPECT_THAT(kept.error().message, ::testing::HasSubstr(file));
}

TEST(KeptDifferences, HoldTheHostsThatTheDecisionSaw) {
  fleet::Document document;
  for (const auto* host : {"h1", "h2"}) {
    fleet::DocumentHost made;
    made.topic = "compute";
    made.host = host;
    made.node = host;
    document.hosts.push_back(made);
  }
  const auto text = facts_of_decision(document, {{"h2", {}}});
  EXPECT_THAT(text, ::testing::HasSubstr("h2"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("h1")));
}

}  // namespace
}  // namespace gantry::nova
