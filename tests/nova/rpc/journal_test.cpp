// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/journal.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/nova/rpc/recording_logger.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::nova {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

JournalEntry entry_named(const std::string& name) {
  JournalEntry entry;
  entry.caller.msg_id = "msg-" + name;
  entry.caller.reply_queue = "reply_1";
  entry.caller.unique_id = name;
  entry.caller.heartbeat_interval = std::chrono::seconds(30);
  entry.reply_id = "answer-" + name;
  entry.heard_at = 1'000'000;
  entry.expires_at = 2'000'000;
  RpcRequest request;
  request.method = "select_destinations";
  request.version = "4.5";
  request.args = *json::parse_object(R"({"spec_obj":{"ratio":2.0,"text":"a\nb"},"instance_uuids":["u1"]})");
  request.context = {{"request_id", "req-" + name}};
  entry.request = request;
  return entry;
}

struct JournalFile : ::testing::Test {
  std::shared_ptr<Journal> open() {
    auto opened = Journal::open(path, logger);
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? *opened : nullptr;
  }
  // Returns the requests that the next process finds.
  std::vector<JournalEntry> left() { return open()->take_left(); }
  std::string text() const {
    std::ifstream file(path);
    std::ostringstream all;
    all << file.rdbuf();
    return all.str();
  }
  std::size_t size() const { return std::filesystem::file_size(path); }
  void append(const std::string& bytes) const { std::ofstream(path, std::ios::app) << bytes; }

  support::ScratchDirectory directory;
  const std::string path = directory.path("requests.journal");
  const std::shared_ptr<RecordingLogger> logger = std::make_shared<RecordingLogger>();
};

TEST_F(JournalFile, KeepsARequestForTheNextProcess) {
  {
    const auto journal = open();
    auto entry = entry_named("one");
    const auto number = journal->take(entry);
    journal->ack(number);
    journal->claim(number, R"({"uuid":"u1"})");
    journal->claim(number, R"({"uuid":"u2"})");
    journal->hear(number, 1'030'000);
    EXPECT_THAT(journal->claims_of(number), ElementsAre(R"({"uuid":"u1"})", R"({"uuid":"u2"})"));
  }
  const auto found = left();
  ASSERT_EQ(found.size(), 1U);
  const auto& entry = found[0];
  EXPECT_EQ(entry.caller.msg_id, "msg-one");
  EXPECT_EQ(entry.caller.reply_queue, "reply_1");
  EXPECT_EQ(entry.caller.unique_id, "one");
  EXPECT_EQ(entry.caller.heartbeat_interval, std::chrono::seconds(30));
  EXPECT_EQ(entry.reply_id, "answer-one");
  EXPECT_EQ(entry.heard_at, 1'030'000);
  EXPECT_EQ(entry.expires_at, 2'000'000);
  EXPECT_EQ(entry.attempts, 1);
  EXPECT_EQ(entry.reply, "");
  EXPECT_THAT(entry.claims, ElementsAre(R"({"uuid":"u1"})", R"({"uuid":"u2"})"));
  ASSERT_TRUE(entry.request);
  EXPECT_EQ(entry.request->method, "select_destinations");
  EXPECT_EQ(entry.request->version, "4.5");
  EXPECT_FALSE(entry.request->name_space);
  EXPECT_EQ(entry.request->args, entry_named("one").request->args);
  EXPECT_EQ(entry.request->context, entry_named("one").request->context);
}

TEST_F(JournalFile, CountsTheProcessesThatHaveWorkedOnARequest) {
  {
    const auto journal = open();
    auto entry = entry_named("one");
    journal->ack(journal->take(entry));
  }
  for (int attempts = 1; attempts < 4; ++attempts) {
    const auto journal = open();
    const auto found = journal->take_left();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].attempts, attempts);
    journal->take_up(found[0].number);
  }
}

// The ack may have left before its mark was written.
TEST_F(JournalFile, KeepsARequestWithoutTheMarkOfItsAckUnlessItHasNoIdToTellItAgain) {
  {
    const auto journal = open();
    auto one = entry_named("one");
    journal->take(one);
    auto without_id = entry_named("two");
    without_id.caller.unique_id.clear();
    journal->take(without_id);
  }
  const auto journal = open();
  const auto found = journal->take_left();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].number, 1U);
}

TEST_F(JournalFile, ForgetsWhatWasClosed) {
  {
    const auto journal = open();
    auto closed = entry_named("one");
    const auto number = journal->take(closed);
    journal->ack(number);
    journal->close(number);
    journal->claim(number, "late");
  }
  const auto journal = open();
  EXPECT_THAT(journal->take_left(), IsEmpty());
}

TEST_F(JournalFile, RemembersTheIdsOfClosedRequestsOverProcesses) {
  std::vector<std::string> ids;
  for (int i = 0; i < 1100; ++i) ids.push_back("unique-" + std::to_string(i));
  for (std::size_t at = 0; at < ids.size();) {
    const auto journal = open();
    for (const auto end = std::min(at + 400, ids.size()); at < end; ++at) {
      auto entry = entry_named("any");
      entry.caller.unique_id = ids[at];
      journal->close(journal->take(entry));
    }
  }
  EXPECT_EQ(open()->closed_ids(), std::vector(ids.end() - 1024, ids.end()));
}

TEST_F(JournalFile, KeepsAnAnswerAndForgetsClaimsThatWereGivenBack) {
  {
    const auto journal = open();
    auto entry = entry_named("one");
    const auto number = journal->take(entry);
    journal->ack(number);
    journal->claim(number, "{}");
    journal->give_back(number);
    journal->answer(number, "{\"body\":1}");
  }
  const auto found = left();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].reply, "{\"body\":1}");
  EXPECT_THAT(found[0].claims, IsEmpty());
}

TEST_F(JournalFile, IsForItsOwnerAloneAndHoldsNoSecrets) {
  const auto journal = open();
  auto entry = entry_named("one");
  entry.request->args["spec_obj"] = *json::parse(
      R"({"requested_destination":{"cell":{"uuid":"c","database_connection":"mysql://p@ss","transport_url":"rabbit://p@ss"}}})");
  journal->take(entry);
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  EXPECT_THAT(text(), HasSubstr(R"("cell":{"uuid":"c"})"));
  EXPECT_THAT(text(), Not(HasSubstr("p@ss")));
}

TEST_F(JournalFile, IsWrittenAnewWhenItHasGrown) {
  const auto journal = open();
  auto lasting = entry_named("lasting");
  const auto kept = journal->take(lasting);
  journal->ack(kept);
  const std::string body(100'000, 'b');
  std::size_t largest = 0;
  for (int i = 0; i < 200; ++i) {
    auto entry = entry_named(std::to_string(i));
    const auto number = journal->take(entry);
    journal->answer(number, body);
    journal->close(number);
    largest = std::max(largest, size());
  }
  EXPECT_LT(largest, 6'000'000U);
  EXPECT_THAT(text(), HasSubstr("msg-lasting"));
  journal->close(kept);
  EXPECT_LT(size(), 50'000U) << "nothing is under way";
  EXPECT_THAT(text(), Not(HasSubstr("msg-lasting")));
}

TEST_F(JournalFile, ServesOneProcess) {
  const auto journal = open();
  const auto second = Journal::open(path, logger);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::already_exists);
  EXPECT_THAT(second.error().message, HasSubstr(path));
}

TEST_F(JournalFile, CutsATornLastLineOff) {
  std::string whole;
  {
    const auto journal = open();
    auto entry = entry_named("one");
    journal->ack(journal->take(entry));
    whole = text();
  }
  for (const std::size_t cut : {std::size_t{1}, std::size_t{10}, std::size_t{20}}) {
    append(R"({"kind":"closed","number":1})" + std::string("\n"));
    std::filesystem::resize_file(path, whole.size() + cut);
    EXPECT_EQ(left().size(), 1U) << cut;
    EXPECT_EQ(text(), whole);
  }
  EXPECT_THAT(logger->text(), HasSubstr("cut off"));
}

TEST_F(JournalFile, SetsADamagedFileAsideAndGoesOn) {
  const std::vector<std::string> damaged{
      "no journal\n",
      journal_head() + "no JSON\n",
      journal_head() + "{\"kind\":\"taken\"}\n",
      journal_head() + "{\"kind\":\"taken\",\"number\":1}\n{\"kind\":\"odd\",\"number\":1}\n",
      journal_head() + "{\"kind\":\"taken\",\"number\":1}\n{\"kind\":\"taken\",\"number\":1}\n",
      "{\"kind\":\"journal\",\"version\":2}\n",
      std::string("\0\0\0\n", 4),
      journal_head() + "\n"};
  for (const auto& bytes : damaged) {
    std::ofstream(path, std::ios::trunc) << bytes;
    EXPECT_THAT(left(), IsEmpty()) << bytes;
    EXPECT_THAT(logger->text(), HasSubstr("the journal is damaged")) << bytes;
    EXPECT_THAT(logger->text(), HasSubstr(path + ".damaged"));
    std::ifstream aside(path + ".damaged");
    std::ostringstream kept;
    kept << aside.rdbuf();
    EXPECT_EQ(kept.str(), bytes);
    EXPECT_EQ(text(), journal_head());
    logger->clear();
  }
}

TEST_F(JournalFile, NamesTheFileThatCannotBeMade) {
  const auto absent = Journal::open(directory.path("absent/requests.journal"), logger);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::invalid_configuration);
  EXPECT_THAT(absent.error().message, HasSubstr("No such file or directory"));
}

TEST(JournalEntry, WaitsAsLongAsItsCaller) {
  JournalEntry entry;
  entry.heard_at = 1'000'000;
  EXPECT_TRUE(patience_of(entry).lasts_at(1'059'999));
  EXPECT_FALSE(patience_of(entry).lasts_at(1'060'000));
  EXPECT_TRUE(patience_of(entry).lasts_at(5));  // the clock was set back
  entry.caller.heartbeat_interval = std::chrono::seconds(5);
  EXPECT_TRUE(patience_of(entry).lasts_at(1'009'999));
  EXPECT_FALSE(patience_of(entry).lasts_at(1'010'000));
  entry.expires_at = 1'002'000;
  EXPECT_FALSE(patience_of(entry).lasts_at(1'002'000));
  entry.caller.heartbeat_interval = std::chrono::seconds(0);
  entry.expires_at = 2'000'000;
  EXPECT_TRUE(patience_of(entry).lasts_at(1'999'999));
  EXPECT_FALSE(patience_of(entry).lasts_at(2'000'000));
}

}  // namespace
}  // namespace gantry::nova
