// SPDX-License-Identifier: Apache-2.0
#include "core/store/commit_record.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace gantry::store {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

constexpr CommitNumber largest_number = std::numeric_limits<CommitNumber>::max();

TEST(CommitRecord, ReadsBackTheNumberThatWasWritten) {
  for (const CommitNumber number : {CommitNumber{0}, CommitNumber{1}, CommitNumber{4720}, largest_number})
    EXPECT_EQ(read_commit_record(commit_record(number)), number);
}

TEST(CommitRecord, HasTheSameWidthForEachNumber) {
  EXPECT_EQ(commit_record(1).size(), commit_record(largest_number).size());
}

TEST(CommitRecord, GivesTheOldNumberTheNewOneOrNoneWhenItIsHalfWritten) {
  for (const auto& [before, after] : {std::pair{4719, 4720}, {9999, 10000}, {0, 1}}) {
    const auto old_text = commit_record(static_cast<CommitNumber>(before));
    const auto new_text = commit_record(static_cast<CommitNumber>(after));
    for (std::size_t at = 0; at <= new_text.size(); ++at) {
      EXPECT_THAT(read_commit_record(new_text.substr(0, at) + old_text.substr(at)), AnyOf(0, before, after)) << at;
      EXPECT_THAT(read_commit_record(old_text.substr(0, at) + new_text.substr(at)), AnyOf(0, before, after)) << at;
    }
  }
}

TEST(CommitRecord, GivesNoNumberForAnyOtherText) {
  const auto record = commit_record(4720);
  for (const auto& text : {std::string(), std::string(record.size(), '\0'), std::string("commit 4720\n"),
                           record.substr(0, record.size() - 1), record + "\n", "x" + record.substr(1),
                           std::string("commit 99999999999999999999 99999999999999999999\n")})
    EXPECT_EQ(read_commit_record(text), 0U) << text;
}

TEST(CommitRecord, AcceptsAStoreThatHoldsTheAnsweredCommit) {
  EXPECT_TRUE(check_commits("/s.db", 0, 0));
  EXPECT_TRUE(check_commits("/s.db", 0, 7));
  EXPECT_TRUE(check_commits("/s.db", 7, 7));
  EXPECT_TRUE(check_commits("/s.db", 7, 8));
}

TEST(CommitRecord, RefusesAStoreThatLacksTheAnsweredCommitAndNamesBothNumbers) {
  const auto checked = check_commits("/s.db", 4720, 4711);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::failed_precondition);
  EXPECT_THAT(checked.error().message,
              AllOf(HasSubstr("store /s.db"), HasSubstr("expected commit 4720"), HasSubstr("found commit 4711"),
                    HasSubstr("/s.db-wal"), HasSubstr("remove /s.db.lock")));
}

}  // namespace
}  // namespace gantry::store
