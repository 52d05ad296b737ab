// SPDX-License-Identifier: Apache-2.0
//
// The files that a killed process leaves: the store opens with every answered commit, or is refused with the numbers of
// the commits and left as it is.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/store/commit_record.hpp"
#include "store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t header_size = 32;
constexpr std::size_t frame_header_size = 24;
constexpr std::size_t frame_size = frame_header_size + 4096;
constexpr int documents = 20;
constexpr int schema_steps_in_log = 4;

class LogDamage : public StoreTest {
 protected:
  std::string log_path() const { return settings_.path + "-wal"; }
  std::string lock_path() const { return settings_.path + ".lock"; }
  std::string log() const { return bytes_of(log_path()); }

  static std::string key(int number) { return "key " + std::to_string(number); }

  static void commit_one_by_one(Store& store, int first, int end) {
    for (int i = first; i < end; ++i) ASSERT_TRUE(committed(store, put(key(i), std::string(300, 'd'))));
  }

  // From now on the settings name a copy of the files that kill -9 would leave at this moment.
  void kill() {
    const auto left = directory_ / ("left " + std::to_string(++kills_));
    std::filesystem::create_directory(left);
    for (const std::string suffix : {"", "-wal", ".lock"})
      std::filesystem::copy_file(settings_.path + suffix, (left / "gantry.db").string() + suffix);
    settings_.path = (left / "gantry.db").string();
  }
  void leave_documents_in_log() {
    const auto store = opened();
    commit_one_by_one(*store, 0, documents);
    kill();
    ASSERT_GT(log().size(), header_size);
  }
  // As leave_documents_in_log, but killed before the last commit was answered.
  void leave_an_unanswered_document_in_log() {
    const auto store = opened();
    commit_one_by_one(*store, 0, documents - 1);
    const auto lock = bytes_of(lock_path());
    commit_one_by_one(*store, documents - 1, documents);
    kill();
    write_bytes(lock_path(), lock);
  }

  static bool commits(const std::string& log, std::size_t frame) {
    return log.substr(header_size + frame * frame_size + 4, 4) != std::string(4, '\0');
  }
  static std::size_t frames(const std::string& log) { return (log.size() - header_size) / frame_size; }
  // Returns the first frame of each transaction, counted from 0, and the end of the log.
  static std::vector<std::size_t> beginnings(const std::string& log) {
    std::vector<std::size_t> found{0};
    for (std::size_t frame = 0; frame < frames(log); ++frame) {
      if (commits(log, frame)) found.push_back(frame + 1);
    }
    return found;
  }
  static void damage_page(std::string& log, std::size_t frame) {
    log.replace(header_size + frame * frame_size + frame_header_size + 100, 10, 10, '\x5a');
  }

  void expect_refusal(int answered, int found) const {
    const auto store = bytes_of(settings_.path);
    const auto left = log();
    const Error error = refusal();
    EXPECT_EQ(error.code, ErrorCode::failed_precondition);
    EXPECT_THAT(
        error.message,
        AllOf(HasSubstr(settings_.path + ": damaged"), HasSubstr("expected commit " + std::to_string(answered) + ","),
              HasSubstr("found commit " + std::to_string(found) + ";"), HasSubstr(log_path()),
              HasSubstr("left as they were: put a newer copy of both in their place, or remove " + lock_path())));
    EXPECT_EQ(log(), left);
    EXPECT_EQ(bytes_of(settings_.path), store);
  }
  void expect_refusal_of(const std::string& damaged, int found) const {
    write_bytes(log_path(), damaged);
    expect_refusal(documents, found);
  }
  void expect_documents(int count) const {
    const auto found = loaded(*opened());
    EXPECT_EQ(found.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) EXPECT_TRUE(found.contains(key(i))) << i;
  }

 private:
  int kills_ = 0;
};

TEST_F(LogDamage, TakesASoundLogOver) {
  leave_documents_in_log();
  expect_documents(documents);
}

TEST_F(LogDamage, RefusesALogWhoseHeaderIsZeroed) {
  leave_documents_in_log();
  expect_refusal_of(log().replace(0, header_size, header_size, '\0'), 0);
}

TEST_F(LogDamage, RefusesATextInPlaceOfTheLog) {
  leave_documents_in_log();
  expect_refusal_of("This is not the log of a store, but a text that somebody has put there.\n", 0);
}

TEST_F(LogDamage, RefusesAStoreWhoseLogWasRemoved) {
  leave_documents_in_log();
  std::filesystem::remove(log_path());
  EXPECT_THAT(refusal().message, HasSubstr("expected commit 20"));
}

TEST_F(LogDamage, RefusesALogWithADamagedByteAnywhereInItsHeader) {
  leave_documents_in_log();
  const auto sound = log();
  for (std::size_t at = 0; at < header_size; ++at) {
    auto damaged = sound;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    expect_refusal_of(damaged, 0);
  }
}

TEST_F(LogDamage, RefusesALogWithADamagedFrameInAnyTransaction) {
  leave_documents_in_log();
  const auto sound = log();
  const auto begin = beginnings(sound);
  ASSERT_EQ(begin.size(), static_cast<std::size_t>(schema_steps_in_log + documents + 1));
  for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
    auto damaged = sound;
    damage_page(damaged, begin[i]);
    expect_refusal_of(damaged, std::max(0, static_cast<int>(i) - schema_steps_in_log));
  }
}

TEST_F(LogDamage, RefusesALogWithADamagedSaltOrChecksumOfAFrame) {
  leave_documents_in_log();
  const auto sound = log();
  for (const std::size_t at : {8, 16}) {
    auto damaged = sound;
    auto& byte = damaged[header_size + 2 * frame_size + at];
    byte = static_cast<char>(byte ^ 1);
    expect_refusal_of(damaged, 0);
  }
}

TEST_F(LogDamage, RefusesALogWithManyFramesOverwritten) {
  leave_documents_in_log();
  auto damaged = log();
  damaged.replace(header_size + 5 * frame_size + 7, 4 * frame_size, 4 * frame_size, '\0');
  expect_refusal_of(damaged, 0);
}

TEST_F(LogDamage, RefusesALogThatIsCutWithinAnAnsweredTransaction) {
  leave_documents_in_log();
  expect_refusal_of(log().substr(0, log().size() - frame_size / 2), documents - 1);
}

TEST_F(LogDamage, RefusesDamageInACommitThatWasWrittenBehind) {
  const auto store = opened();
  commit_one_by_one(*store, 0, documents - 1);
  store->submit_behind(put(key(documents - 1), "{}"), nullptr);
  store->flush();
  kill();
  auto damaged = log();
  const auto begin = beginnings(damaged);
  damage_page(damaged, begin[begin.size() - 2]);
  expect_refusal_of(damaged, documents - 1);
}

TEST_F(LogDamage, StaysRefusedAtTheNextStart) {
  leave_documents_in_log();
  auto damaged = log();
  damage_page(damaged, beginnings(damaged)[documents]);
  expect_refusal_of(damaged, documents - schema_steps_in_log);
  expect_refusal(documents, documents - schema_steps_in_log);
}

TEST_F(LogDamage, RefusesAnOlderCopyOfTheStoreUntilTheLockFileIsRemoved) {
  {
    const auto store = opened();
    commit_one_by_one(*store, 0, 5);
  }
  const auto copy = bytes_of(settings_.path);
  {
    const auto store = opened();
    commit_one_by_one(*store, 5, documents);
  }
  write_bytes(settings_.path, copy);
  expect_refusal(documents, 5);
  std::filesystem::remove(lock_path());
  expect_documents(5);
}

TEST_F(LogDamage, RefusesAnEmptyStoreInPlaceOfOneWithAnsweredCommits) {
  {
    const auto store = opened();
    commit_one_by_one(*store, 0, documents);
  }
  std::filesystem::remove(settings_.path);
  EXPECT_THAT(refusal().message, AllOf(HasSubstr("expected commit 20"), HasSubstr("found commit 0")));
}

TEST_F(LogDamage, TakesAStoreOverThatIsNewerThanTheLockFile) {
  {
    const auto store = opened();
    commit_one_by_one(*store, 0, 5);
  }
  const auto lock = bytes_of(lock_path());
  {
    const auto store = opened();
    commit_one_by_one(*store, 5, documents);
  }
  write_bytes(lock_path(), lock);
  expect_documents(documents);
}

TEST_F(LogDamage, TakesAStoreOverWhoseLockFileHasNoWholeRecord) {
  leave_documents_in_log();
  auto torn = bytes_of(lock_path());
  torn[torn.size() - 2] = '7';
  for (const auto& lock : {std::string(), std::string("4711\n"), std::string(100, '\0'), torn}) {
    write_bytes(lock_path(), lock);
    expect_documents(documents);
  }
}

TEST_F(LogDamage, TakesALogOverWithoutATornTransactionThatWasNotAnswered) {
  leave_an_unanswered_document_in_log();
  auto torn = log();
  const auto begin = beginnings(torn);
  damage_page(torn, begin[begin.size() - 2]);
  write_bytes(log_path(), torn);
  expect_documents(documents - 1);
}

TEST_F(LogDamage, TakesALogOverThatIsCutWithinATransactionThatWasNotAnswered) {
  leave_an_unanswered_document_in_log();
  std::filesystem::resize_file(log_path(), log().size() - frame_size / 2);
  expect_documents(documents - 1);
}

TEST_F(LogDamage, TakesACommitOverThatWasNotAnsweredButIsWhole) {
  leave_an_unanswered_document_in_log();
  expect_documents(documents);
}

TEST_F(LogDamage, TakesALogOverThatHoldsOnlyAPartOfItsHeader) {
  opened();
  for (const std::size_t size : {std::size_t{1}, header_size / 2, header_size}) {
    write_bytes(log_path(), std::string(size, '\0'));
    expect_documents(0);
  }
}

TEST_F(LogDamage, TakesALogOverWithFramesOfAnEarlierRoundBehind) {
  const auto begins_another_round = [this] {
    const auto left = log();
    return left.substr(header_size + (frames(left) - 1) * frame_size + 8, 8) != left.substr(16, 8);
  };
  settings_.log_pages = 24;
  int count = 0;
  const auto store = opened();
  for (; count < 200 && (count == 0 || !begins_another_round()); ++count) commit_one_by_one(*store, count, count + 1);
  commit_one_by_one(*store, count, count + 2);
  kill();
  ASSERT_TRUE(begins_another_round());
  expect_documents(count + 2);
}

TEST_F(LogDamage, TakesALogOverWithTheRestOfALongerTransactionBehindATornOne) {
  std::string lock;
  {
    const auto store = opened();
    commit_one_by_one(*store, 0, documents);
    lock = bytes_of(lock_path());
    ASSERT_TRUE(committed(*store, put("long", std::string(100'000, 'l'))));
    kill();
  }
  auto torn = log();
  const auto begin = beginnings(torn);
  const auto of_long = begin[begin.size() - 2];
  damage_page(torn, of_long);
  write_bytes(log_path(), torn);
  write_bytes(lock_path(), lock);
  {
    const auto store = opened();
    commit_one_by_one(*store, documents, documents + 1);
    kill();
  }
  auto torn_again = log();
  ASSERT_EQ(torn_again.size(), torn.size());
  ASSERT_EQ(beginnings(torn_again).size(), begin.size() + 1);
  damage_page(torn_again, of_long);
  write_bytes(log_path(), torn_again);
  write_bytes(lock_path(), lock);
  expect_documents(documents);
}

TEST_F(LogDamage, TakesALogOverWhoseNextRoundBeganWithHalfAHeader) {
  settings_.log_pages = 1;
  leave_documents_in_log();
  auto half = log();
  half[15] = static_cast<char>(half[15] + 1);
  write_bytes(log_path(), half);
  expect_documents(documents);
}

}  // namespace
}  // namespace gantry::store
