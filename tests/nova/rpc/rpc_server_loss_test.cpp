// SPDX-License-Identifier: Apache-2.0
//
// A broker that is lost, and a server that is killed, in the middle of a request.
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "core/nova/rpc/journal.hpp"
#include "core/nova/rpc/rpc_server.hpp"
#include "tests/nova/rpc/served_rpc.hpp"

namespace gantry::nova {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct RealRpcLoss : RealRpc {};

TEST_F(RealRpcLoss, AnswersOverTheNextConnection) {
  ServedRpc served(settings());
  served.await_connection();
  {
    TestCaller caller(connection());
    caller.send({.args = {{"wait", true}}, .monitor_time = 60});
    caller.wait_for([&] { return served.handler.waiting() == 1; });
    broker().kill();
    caller.wait_for([&] { return caller.client.closed.has_value(); });
  }
  served.await([](const RpcServerStatus& status) { return !status.trouble.empty() && !status.is_connected; });
  served.handler.release();
  broker().start();
  served.await_connection();
  TestCaller again(connection());
  EXPECT_THAT(again.words(1), ElementsAre(R"({"wait":true})"));
  EXPECT_THAT(served.handler.events(), ElementsAre("casts lost"));
  EXPECT_EQ(served.server->status().trouble, "");
}

TEST_F(RealRpcLoss, MakesItsQueuesAgainAtABrokerThatStoppedInOrder) {
  ServedRpc served(settings());
  served.await_connection();
  broker().control("stop_app");
  served.await([](const RpcServerStatus& status) { return !status.is_connected && !status.trouble.empty(); });
  broker().control("start_app");
  served.await_connection();
  TestCaller caller(connection());
  caller.send({.args = {{"again", true}}});
  EXPECT_THAT(caller.words(1), ElementsAre(R"({"again":true})"));
}

TEST_F(RealRpcLoss, GivesBackWhatACallerThatGaveUpMeanwhileDoesNotHearOf) {
  ServedRpc served(settings());
  served.await_connection();
  {
    TestCaller caller(connection());
    caller.send({.args = {{"wait", true}, {"claims", json::array{"c1"}}}, .monitor_time = 4});
    caller.wait_for([&] { return served.handler.waiting() == 1; });
    broker().kill();
    caller.wait_for([&] { return caller.client.closed.has_value(); });
  }
  served.handler.release();
  std::this_thread::sleep_for(std::chrono::seconds(5));
  broker().start();
  served.await_connection();
  served.await([](const RpcServerStatus& status) { return status.under_way == 0; });
  EXPECT_THAT(served.handler.events(), ::testing::Contains("gave back c1"));
  EXPECT_EQ(served.counted("nova_replies_dropped"), 1U);
}

TEST_F(RealRpcLoss, AnswersOnceABrokerWithoutMemoryTakesMessagesAgain) {
  ServedRpc served(settings());
  served.await_connection();
  TestCaller caller(connection());
  caller.send({.args = {{"wait", true}}});
  caller.wait_for([&] { return served.handler.waiting() == 1; });
  broker().control("set_vm_memory_high_watermark absolute 1");
  served.handler.release();
  served.await([](const RpcServerStatus& status) { return !status.trouble.empty(); });
  EXPECT_THAT(served.server->status().trouble, HasSubstr("the broker takes no messages since"));
  EXPECT_THAT(served.server->status().trouble, HasSubstr("memory"));
  EXPECT_EQ(caller.answered(), 0U);
  EXPECT_EQ(served.server->status().under_way, 1U);
  broker().control("set_vm_memory_high_watermark 0.6");
  EXPECT_THAT(caller.words(1), ElementsAre(R"({"wait":true})"));
  served.await([](const RpcServerStatus& status) { return status.trouble.empty() && status.under_way == 0; });
}

// A server in a process of its own, which a request may end.
class ServerProcess {
 public:
  ServerProcess(const std::string& url, const std::string& journal, std::string events)
      : url_(url), journal_(journal), events_(std::move(events)) {
    start();
  }
  ~ServerProcess() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  void start() {
    std::array<const char*, 5> arguments{GANTRY_RPC_SERVER_PROGRAM, url_.c_str(), journal_.c_str(), events_.c_str(),
                                         nullptr};
    ASSERT_EQ(::posix_spawn(&process_, arguments[0], nullptr, nullptr, const_cast<char**>(arguments.data()), environ),
              0);
  }
  void kill_and_restart() {
    ::kill(process_, SIGKILL);
    await_death();
    start();
  }
  // Waits until a request has ended the process.
  void await_death() const {
    int status = 0;
    ASSERT_EQ(::waitpid(process_, &status, 0), process_);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  }
  std::vector<std::string> events() const {
    std::vector<std::string> lines;
    std::ifstream file(events_);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

 private:
  const std::string url_;
  const std::string journal_;
  const std::string events_;
  pid_t process_ = -1;
};

struct RealRpcKill : RealRpc {
  ServerProcess run() { return {broker().url(), settings().journal, directory.path("events")}; }
};

TEST_F(RealRpcKill, AnswersAfterTheRestartWithTheClaimsAtHand) {
  TestCaller caller(connection());
  auto server = run();
  caller.wait_for([&] { return caller.state_of("scheduler").consumers == 1; });
  caller.send({.args = {{"claims", json::array{"c1", "c2"}}, {"die", 1}}, .monitor_time = 60});
  server.await_death();
  server.start();
  EXPECT_THAT(caller.words(1), ElementsAre(R"({"taken_up":["c1","c2"]})"));
  EXPECT_THAT(server.events(), IsEmpty());
}

TEST_F(RealRpcKill, FailsARequestDuringWhichTheProcessEndedTwice) {
  TestCaller caller(connection());
  auto server = run();
  caller.wait_for([&] { return caller.state_of("scheduler").consumers == 1; });
  caller.send({.args = {{"die", 2}}, .monitor_time = 60});
  server.await_death();
  server.start();
  server.await_death();
  server.start();
  EXPECT_THAT(caller.words(1), ElementsAre(HasSubstr("NovaException: The scheduler ended twice")));
  EXPECT_THAT(server.events(), IsEmpty());
}

TEST_F(RealRpcKill, TriesARequestThatWasBeingClaimedFiveTimes) {
  TestCaller caller(connection());
  auto server = run();
  caller.wait_for([&] { return caller.state_of("scheduler").consumers == 1; });
  caller.send({.args = {{"claims", json::array{"c1"}}, {"die", 2}}, .monitor_time = 60});
  for (int deaths = 0; deaths < 5; ++deaths) {
    server.await_death();
    server.start();
  }
  EXPECT_THAT(caller.words(1), ElementsAre(HasSubstr("NovaException: The scheduler ended 5 times")));
  EXPECT_THAT(server.events(), ElementsAre("gave back c1"));
}

TEST_F(RealRpcKill, GivesTheClaimsBackWhoseCallerHasGivenUp) {
  TestCaller caller(connection());
  auto server = run();
  caller.wait_for([&] { return caller.state_of("scheduler").consumers == 1; });
  caller.send({.args = {{"claims", json::array{"c1"}}, {"die", 1}}, .monitor_time = 2});
  server.await_death();
  std::this_thread::sleep_for(std::chrono::seconds(3));
  server.start();
  caller.wait_for([&] { return !server.events().empty(); });
  EXPECT_THAT(server.events(), ElementsAre("gave back c1"));
}

TEST_F(RealRpcKill, LosesNoRequestOfManyWhenItIsKilledAtAnyMoment) {
  constexpr std::size_t calls = 400;
  TestCaller caller(connection());
  auto server = run();
  caller.wait_for([&] { return caller.state_of("scheduler").consumers == 1; });
  for (std::size_t i = 0; i < calls; ++i) {
    caller.send({.args = {{"hold", 0.02}, {"claims", json::array{"c" + std::to_string(i)}}}, .monitor_time = 60});
    if (i % 50 != 25) continue;
    server.kill_and_restart();
    caller.wait_for([&] { return caller.answered() > i / 2 && caller.state_of("scheduler").consumers == 1; });
  }
  caller.wait_for([&] { return caller.answered() == calls; });
  // Five kills may meet the same request on a slow machine: it fails then, and its claims are given back.
  const auto words = caller.words(calls);
  const auto failed = static_cast<std::size_t>(std::ranges::count_if(
      words, [](const auto& each) { return each.find("The scheduler ended") != std::string::npos; }));
  EXPECT_EQ(words.size(), calls);
  EXPECT_LT(failed, calls / 2);
  caller.wait_for([&] { return server.events().size() == failed; });
}

// The process ended between the answer's publication and the end of its story.
TEST_F(RealRpcKill, SaysAnAnswerAgainThatWasWrittenDown) {
  {
    const auto journal = *Journal::open(settings().journal, telemetry::Logger::none());
    JournalEntry entry;
    entry.caller = {"m", "reply_1", "u", std::chrono::milliseconds(0), false};
    entry.reply_id = "answer";
    entry.request.emplace();
    entry.heard_at =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    const auto number = journal->take(entry);
    journal->ack(number);
    journal->claim(number, "c1");
    journal->answer(
        number, R"({"oslo.version":"2.0","oslo.message":"{\"result\":7,\"ending\":true,\"_unique_id\":\"answer\"}"})");
    entry.caller.msg_id = "late";
    entry.caller.unique_id = "late";
    entry.heard_at -= 100'000;
    const auto late = journal->take(entry);
    journal->ack(late);
    journal->claim(late, "c2");
    journal->answer(late, "{}");
  }
  TestCaller caller(connection());
  const ServedRpc served(settings());
  EXPECT_THAT(caller.words(1), ElementsAre("7"));
  caller.wait_for([&] { return served.server->status().under_way == 0; });
  EXPECT_THAT(served.handler.events(), ElementsAre("gave back c2 in use, perhaps"));
}

}  // namespace
}  // namespace gantry::nova
