// SPDX-License-Identifier: Apache-2.0
#include "core/store/archive/decision_archive.hpp"

#include <gmock/gmock.h>
#include <sys/mount.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "tests/support/scratch_directory.hpp"

namespace gantry::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ArchiveTest : public testing::Test {
 protected:
  ArchiveTest() {
    settings_.directory = scratch_.path("decisions");
    settings_.logger = telemetry::Logger::none();
    settings_.most_age = std::chrono::hours(24 * 365 * 200);
  }

  void open(std::int64_t run = 1) {
    archive_.reset();
    auto opened = DecisionArchive::open(settings_, run);
    ASSERT_TRUE(opened) << opened.error().message;
    archive_ = *std::move(opened);
  }

  static DecisionToKeep decision(std::int64_t time, std::vector<std::string> names = {}, std::int64_t outcome = 0) {
    return {time, static_cast<std::uint64_t>(time), outcome, std::move(names),
            "{\"time\":" + std::to_string(time) + "}"};
  }

  Result<void> keep(const DecisionToKeep& decision, const std::optional<KeptFacts>& whole = {},
                    const KeptFacts& changes = {}) {
    return archive_->append(std::span(&decision, 1), whole, changes);
  }

  // The times of the decisions that the query names.
  std::vector<std::int64_t> times(const ArchiveQuery& query = {}) {
    auto found = archive_->list(query);
    EXPECT_TRUE(found) << found.error().message;
    std::vector<std::int64_t> times;
    for (const auto& each : *found) times.push_back(each.time);
    return times;
  }

  std::vector<std::string> facts_at(std::int64_t run, std::uint64_t moment) {
    KeptDecision decision;
    decision.run = run;
    decision.moment = moment;
    auto facts = archive_->facts_of(decision);
    EXPECT_TRUE(facts) << facts.error().message;
    std::vector<std::string> texts;
    for (const auto& piece : *facts) texts.push_back(piece.bytes);
    return texts;
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(settings_.directory)) {
      if (entry.path().extension() == ".db") names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  support::ScratchDirectory scratch_;
  ArchiveSettings settings_;
  std::unique_ptr<DecisionArchive> archive_;
};

TEST_F(ArchiveTest, ListsTheLatestDecisionFirst) {
  open();
  for (const auto time : {10, 20, 30}) ASSERT_TRUE(keep(decision(time)));
  EXPECT_THAT(times(), ElementsAre(30, 20, 10));
  EXPECT_EQ(archive_->size(), 3U);
}

TEST_F(ArchiveTest, FindsTheDecisionsThatHaveAllOfTheNames) {
  open();
  ASSERT_TRUE(keep(decision(10, {"hc1", "pdemo"})));
  ASSERT_TRUE(keep(decision(20, {"hc2", "pdemo"})));
  ASSERT_TRUE(keep(decision(30, {"hc1", "pother"})));
  EXPECT_THAT(times({.names = {"hc1"}}), ElementsAre(30, 10));
  EXPECT_THAT(times({.names = {"hc1", "pdemo"}}), ElementsAre(10));
  EXPECT_THAT(times({.names = {"hc"}}), IsEmpty());
}

TEST_F(ArchiveTest, FindsDecisionsByTimeAndOutcomeAndPageByPage) {
  open();
  for (std::int64_t time = 1; time <= 6; ++time) ASSERT_TRUE(keep(decision(time, {}, time % 2)));
  EXPECT_THAT(times({.since = 3, .until = 5}), ElementsAre(5, 4, 3));
  EXPECT_THAT(times({.outcome = 1}), ElementsAre(5, 3, 1));
  const auto page = archive_->list({.limit = 2});
  ASSERT_TRUE(page);
  EXPECT_THAT(times({.before = page->back().id, .limit = 2}), ElementsAre(4, 3));
}

TEST_F(ArchiveTest, ReturnsOneDecisionByItsId) {
  open();
  for (const auto time : {10, 20, 30}) ASSERT_TRUE(keep(decision(time)));
  const auto second = archive_->list({.limit = 2});
  ASSERT_TRUE(second);
  const auto found = archive_->find(second->back().id);
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->record, R"({"time":20})");
  const auto missing = archive_->find(1000);
  ASSERT_TRUE(missing);
  EXPECT_FALSE(missing->has_value());
}

TEST_F(ArchiveTest, GoesOnAfterARestart) {
  open(1);
  ASSERT_TRUE(keep(decision(10)));
  open(2);
  ASSERT_TRUE(keep(decision(20)));
  const auto found = archive_->list({});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ(found->front().id, found->back().id + 1);
  EXPECT_EQ(found->front().run, 2);
  EXPECT_EQ(found->back().run, 1);
}

TEST_F(ArchiveTest, RemovesTheOldestBeyondTheNumberToKeep) {
  settings_.most_decisions = 100;
  open();
  for (std::int64_t time = 1; time <= 500; ++time) ASSERT_TRUE(keep(decision(time)));
  EXPECT_GE(archive_->size(), 100U);
  EXPECT_LE(archive_->size(), 110U);
  EXPECT_EQ(times({.limit = 1}).front(), 500);
  open();
  EXPECT_GE(archive_->size(), 100U);
}

TEST_F(ArchiveTest, RemovesWhatIsOlderThanItsAge) {
  settings_.most_age = std::chrono::hours(1);
  settings_.most_decisions = 40;
  open();
  for (std::int64_t time = 1; time <= 20; ++time) ASSERT_TRUE(keep(decision(time)));  // from 1970
  EXPECT_LE(archive_->size(), 2U);
}

TEST_F(ArchiveTest, ReturnsThePiecesOfHistoryThatAMomentNeeds) {
  open();
  ASSERT_TRUE(archive_->wants_whole_facts());
  ASSERT_TRUE(keep(decision(5), KeptFacts{3, 3, true, "whole 3"}, {1, 5, false, "1 to 5"}));
  EXPECT_FALSE(archive_->wants_whole_facts());
  ASSERT_TRUE(keep(decision(9), {}, {6, 9, false, "6 to 9"}));
  ASSERT_TRUE(keep(decision(12), KeptFacts{11, 11, true, "whole 11"}, {10, 12, false, "10 to 12"}));
  EXPECT_THAT(facts_at(1, 4), ElementsAre("whole 3", "1 to 5"));
  EXPECT_THAT(facts_at(1, 9), ElementsAre("whole 3", "1 to 5", "6 to 9"));
  EXPECT_THAT(facts_at(1, 12), ElementsAre("whole 11", "10 to 12"));
  EXPECT_THAT(facts_at(1, 13), IsEmpty());
  EXPECT_THAT(facts_at(1, 2), IsEmpty());
  EXPECT_THAT(facts_at(2, 9), IsEmpty());
}

TEST_F(ArchiveTest, KeepsTheFactsOfAMomentInOneFileWhenAFileIsFull) {
  settings_.most_fact_bytes = 20 * 100;
  open();
  const auto long_text = [](char letter) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += static_cast<char>(letter + i * 7919 % 64);
    return text;
  };
  ASSERT_TRUE(keep(decision(2), KeptFacts{1, 1, true, long_text('a')}, {1, 2, false, long_text('b')}));
  ASSERT_TRUE(keep(decision(5), KeptFacts{4, 4, true, "whole 4"}, {3, 5, false, "3 to 5"}));
  // Moment 3 lies before the whole one of the new file, moment 5 behind.
  EXPECT_EQ(facts_at(1, 3).size(), 3U);
  EXPECT_THAT(facts_at(1, 5), ElementsAre("whole 4", "3 to 5"));
  EXPECT_THAT(files(), ElementsAre("decisions-000000000001.db", "facts-000000000001.db", "facts-000000000002.db"));
}

TEST_F(ArchiveTest, RemovesTheOldestFactsBeyondTheirSize) {
  settings_.most_fact_bytes = 4000;
  open();
  for (std::uint64_t moment = 1; moment <= 60; ++moment) {
    std::string text;
    for (int i = 0; i < 400; ++i) text += static_cast<char>(i * 7919 % 251 + static_cast<int>(moment));
    ASSERT_TRUE(keep(decision(static_cast<std::int64_t>(moment)), KeptFacts{moment, moment, true, text}, {}));
  }
  EXPECT_THAT(facts_at(1, 1), IsEmpty());
  EXPECT_FALSE(facts_at(1, 60).empty());
  EXPECT_EQ(archive_->size(), 60U);
}

TEST_F(ArchiveTest, GoesOnWhenItsFilesAreDeletedUnderIt) {
  open();
  ASSERT_TRUE(keep(decision(1), KeptFacts{1, 1, true, "whole 1"}, {}));
  for (const auto& file : files()) std::filesystem::remove(settings_.directory + "/" + file);
  ASSERT_TRUE(keep(decision(2), {}, {2, 2, false, "2"}));
  EXPECT_TRUE(archive_->wants_whole_facts());
  ASSERT_TRUE(keep(decision(3), KeptFacts{3, 3, true, "whole 3"}, {}));
  EXPECT_THAT(times(), ElementsAre(3, 2));
  EXPECT_THAT(facts_at(1, 3), ElementsAre("whole 3"));
}

TEST_F(ArchiveTest, SetsADamagedFileAsideAndGoesOn) {
  open();
  ASSERT_TRUE(keep(decision(1)));
  archive_.reset();
  std::ofstream(settings_.directory + "/decisions-000000000001.db", std::ios::trunc) << "no database";
  open();
  ASSERT_TRUE(keep(decision(2)));
  EXPECT_THAT(times(), ElementsAre(2));
  EXPECT_TRUE(std::filesystem::exists(settings_.directory + "/decisions-000000000001.db.damaged"));
}

TEST_F(ArchiveTest, NamesTheDirectoryThatCannotBeMade) {
  settings_.directory = scratch_.path("missing/decisions");
  const auto opened = DecisionArchive::open(settings_, 1);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, testing::HasSubstr(settings_.directory));
}

TEST_F(ArchiveTest, LosesRecordsOnAFullDiskAndGoesOnOnceThereIsRoom) {
  std::filesystem::create_directory(settings_.directory);
  if (mount("tmpfs", settings_.directory.c_str(), "tmpfs", 0, "size=512k,mode=0700") != 0)
    GTEST_SKIP() << "needs root to mount";
  open();
  std::mt19937 random(1);
  Result<void> kept;
  for (int i = 1; i <= 20 && kept; ++i) {
    auto large = decision(i);
    large.record.resize(60'000);
    std::ranges::generate(large.record, [&random] { return static_cast<char>(random()); });
    kept = keep(large);
  }
  const bool was_full = !kept;
  const auto error = was_full ? kept.error() : Error();
  umount2(settings_.directory.c_str(), MNT_DETACH);
  ASSERT_TRUE(was_full);
  EXPECT_EQ(error.code, ErrorCode::resource_exhausted) << error.message;
  EXPECT_TRUE(keep(decision(30)));
  EXPECT_EQ(times({.limit = 1}), std::vector<std::int64_t>{30});
}

// A file of 0 bytes in the place of the first segment, as an older gantry left it behind, and the remains of a kill.
TEST_F(ArchiveTest, GoesOnWhereASegmentWasNeverFinished) {
  open();
  for (const auto* const name : {"decisions-000000000001.db", "decisions-000000000001.db-wal",
                                 "decisions-000000000001.db.part", "facts-000000000001.db"})
    std::ofstream(settings_.directory + "/" + name) << (std::string_view(name).ends_with("wal") ? "an old log" : "");
  ASSERT_TRUE(keep(decision(1), KeptFacts{1, 1, true, "whole 1"}, {}));
  EXPECT_THAT(times(), ElementsAre(1));
  EXPECT_THAT(facts_at(1, 1), ElementsAre("whole 1"));
  EXPECT_FALSE(std::filesystem::exists(settings_.directory + "/decisions-000000000001.db.part"));
  open();
  EXPECT_THAT(times(), ElementsAre(1));
}

TEST_F(ArchiveTest, KeepsDecisionsOnceTheDiskHasRoomThatWasFullBeforeTheFirst) {
  std::filesystem::create_directory(settings_.directory);
  if (mount("tmpfs", settings_.directory.c_str(), "tmpfs", 0, "size=256k,mode=0700") != 0)
    GTEST_SKIP() << "needs root to mount";
  open();
  const auto filler = settings_.directory + "/filler";
  {
    std::ofstream out(filler);
    while (out << std::string(4096, 'f') << std::flush) {
    }
  }
  const auto refused = keep(decision(1), KeptFacts{1, 1, true, "whole 1"}, {});
  const auto left = files();
  std::filesystem::remove(filler);
  const auto kept = keep(decision(2), KeptFacts{2, 2, true, "whole 2"}, {});
  const auto found = times();
  archive_.reset();
  umount2(settings_.directory.c_str(), MNT_DETACH);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::resource_exhausted) << refused.error().message;
  EXPECT_THAT(left, IsEmpty());
  EXPECT_TRUE(kept) << kept.error().message;
  EXPECT_THAT(found, ElementsAre(2));
}

TEST_F(ArchiveTest, RefusesADirectoryThatOthersMayWriteTo) {
  std::filesystem::create_directory(settings_.directory);
  std::filesystem::permissions(settings_.directory, std::filesystem::perms::all);
  const auto opened = DecisionArchive::open(settings_, 1);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::permission_denied);
  EXPECT_THAT(opened.error().message,
              testing::AllOf(testing::HasSubstr("the archive of decisions"), testing::HasSubstr(settings_.directory),
                             testing::HasSubstr("found mode 0777")));
}

}  // namespace
}  // namespace gantry::store
