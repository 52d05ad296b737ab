// SPDX-License-Identifier: Apache-2.0
//
// What a killed process leaves in the store's log: taken over whole, or refused with the damage named.
#include <gmock/gmock.h>

#include <cstdint>
#include <vector>

#include "store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t header_size = 32;
constexpr std::size_t frame_header_size = 24;
constexpr std::size_t frame_size = frame_header_size + 4096;
constexpr int documents = 20;

class WriteAheadLog : public StoreTest {
 protected:
  std::string log_path() const { return settings_.path + "-wal"; }
  std::string log() const { return bytes_of(log_path()); }

  static std::string key(int number) { return "key " + std::to_string(number); }

  static void commit_one_by_one(Store& store, int first, int end) {
    for (int i = first; i < end; ++i) ASSERT_TRUE(committed(store, put(key(i), std::string(300, 'd'))));
  }

  // From now on the store is a copy of what kill -9 would leave of it now.
  void kill() {
    const auto left = directory_ / ("left " + std::to_string(++kills_));
    std::filesystem::create_directory(left);
    for (const std::string suffix : {"", "-wal"})
      std::filesystem::copy_file(settings_.path + suffix, (left / "gantry.db").string() + suffix);
    settings_.path = (left / "gantry.db").string();
  }
  void leave_documents_in_log() {
    const auto store = opened();
    commit_one_by_one(*store, 0, documents);
    kill();
    ASSERT_GT(log().size(), header_size);
  }

  static bool commits(const std::string& log, std::size_t frame) {
    return log.substr(header_size + frame * frame_size + 4, 4) != std::string(4, '\0');
  }
  static std::size_t frames(const std::string& log) { return (log.size() - header_size) / frame_size; }
  // The frames from 0 of the transactions that begin there; the last is the end of the log.
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

  void expect_refusal_of(const std::string& damaged, const std::string& what) const {
    const auto store = bytes_of(settings_.path);
    write_bytes(log_path(), damaged);
    const Error error = refusal();
    EXPECT_EQ(error.code, ErrorCode::failed_precondition);
    EXPECT_THAT(error.message, AllOf(HasSubstr("damaged: its log " + log_path()), HasSubstr(what), HasSubstr("found"),
                                     HasSubstr("left as they were: put a copy of both in their place, or move the log "
                                               "away and lose what was committed since the last checkpoint")));
    EXPECT_EQ(log(), damaged);
    EXPECT_EQ(bytes_of(settings_.path), store);
  }
  void expect_documents(int count) const {
    const auto found = loaded(*opened());
    EXPECT_EQ(found.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) EXPECT_TRUE(found.contains(key(i))) << i;
  }

 private:
  int kills_ = 0;
};

TEST_F(WriteAheadLog, ThatIsSoundIsTakenOver) {
  leave_documents_in_log();
  expect_documents(documents);
}

TEST_F(WriteAheadLog, WhoseHeaderIsZeroedIsRefused) {
  leave_documents_in_log();
  expect_refusal_of(log().replace(0, header_size, header_size, '\0'), "found 0x00000000");
}

TEST_F(WriteAheadLog, WithATextInItsPlaceIsRefused) {
  leave_documents_in_log();
  expect_refusal_of("This is not the log of a store, but a text that somebody has put there.\n",
                    "expected its header to begin with 0x377f0682 or 0x377f0683, found 0x54686973");
}

TEST_F(WriteAheadLog, OfWhoseHeaderAnyByteIsDamagedIsRefused) {
  leave_documents_in_log();
  const auto sound = log();
  for (std::size_t at = 0; at < header_size; ++at) {
    auto damaged = sound;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    expect_refusal_of(damaged, "expected its header to");
  }
}

TEST_F(WriteAheadLog, WithADamagedFrameThatCommitsFollowIsRefused) {
  leave_documents_in_log();
  auto damaged = log();
  damage_page(damaged, 0);
  expect_refusal_of(damaged, "expected frame 1 at offset 32 to have the checksum");
}

TEST_F(WriteAheadLog, WithADamagedFrameInAnyTransactionThatAnotherFollowsIsRefused) {
  leave_documents_in_log();
  const auto sound = log();
  const auto begin = beginnings(sound);
  for (std::size_t i = 0; i + 2 < begin.size(); ++i) {
    auto damaged = sound;
    damage_page(damaged, begin[i]);
    expect_refusal_of(damaged, "expected frame " + std::to_string(begin[i] + 1) + " at offset");
  }
}

TEST_F(WriteAheadLog, WithADamagedSaltOrChecksumOfAFrameThatCommitsFollowIsRefused) {
  leave_documents_in_log();
  const auto sound = log();
  for (const auto& [at, what] : {std::pair{8, "to have the salts"}, {16, "to have the checksum"}}) {
    auto damaged = sound;
    auto& byte = damaged[header_size + 2 * frame_size + static_cast<std::size_t>(at)];
    byte = static_cast<char>(byte ^ 1);
    expect_refusal_of(damaged, std::string("expected frame 3 at offset 8272 ") + what);
  }
}

TEST_F(WriteAheadLog, WithManyFramesOverwrittenIsRefused) {
  leave_documents_in_log();
  auto damaged = log();
  damaged.replace(header_size + 5 * frame_size + 7, 4 * frame_size, 4 * frame_size, '\0');
  expect_refusal_of(damaged, "expected frame 6 at offset");
}

TEST_F(WriteAheadLog, OfWhichOnlyTheLastTransactionIsTornIsTakenOverWithoutThatOne) {
  leave_documents_in_log();
  auto torn = log();
  const auto begin = beginnings(torn);
  damage_page(torn, begin[begin.size() - 2]);
  write_bytes(log_path(), torn);
  expect_documents(documents - 1);
}

TEST_F(WriteAheadLog, CutInTheMiddleOfItsLastFrameIsTakenOverWithoutThatTransaction) {
  leave_documents_in_log();
  std::filesystem::resize_file(log_path(), log().size() - frame_size / 2);
  expect_documents(documents - 1);
}

TEST_F(WriteAheadLog, OfNoMoreThanAPartOfItsHeaderIsTakenOver) {
  opened();
  for (const std::size_t size : {std::size_t{1}, header_size / 2, header_size}) {
    write_bytes(log_path(), std::string(size, '\0'));
    expect_documents(0);
  }
}

TEST_F(WriteAheadLog, WithFramesOfAnEarlierRoundBehindIsTakenOver) {
  const auto begins_anew = [this] {
    const auto left = log();
    return left.substr(header_size + (frames(left) - 1) * frame_size + 8, 8) != left.substr(16, 8);
  };
  settings_.log_pages = 24;
  int count = 0;
  const auto store = opened();
  for (; count < 200 && (count == 0 || !begins_anew()); ++count) commit_one_by_one(*store, count, count + 1);
  commit_one_by_one(*store, count, count + 2);
  kill();
  ASSERT_TRUE(begins_anew());
  expect_documents(count + 2);
}

TEST_F(WriteAheadLog, WithTheRestOfALongerTransactionBehindATornOneIsTakenOver) {
  {
    const auto store = opened();
    commit_one_by_one(*store, 0, documents);
    ASSERT_TRUE(committed(*store, put("long", std::string(100'000, 'l'))));
    kill();
  }
  auto torn = log();
  const auto begin = beginnings(torn);
  const auto of_long = begin[begin.size() - 2];
  damage_page(torn, of_long);
  write_bytes(log_path(), torn);
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
  expect_documents(documents);
}

TEST_F(WriteAheadLog, WhoseNextRoundBeganWithHalfAHeaderIsTakenOver) {
  settings_.log_pages = 1;
  leave_documents_in_log();
  auto half = log();
  half[15] = static_cast<char>(half[15] + 1);
  write_bytes(log_path(), half);
  expect_documents(documents);
}

}  // namespace
}  // namespace gantry::store
