// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/child_process.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace gantry::cli::agent {
namespace {

using support::ScratchDirectory;
using testing::HasSubstr;

ChildRequest shell(const std::string& script) {
  ChildRequest request;
  request.program = "sh";
  request.arguments = {"-c", script};
  request.timeout = std::chrono::seconds(30);
  return request;
}

TEST(ChildProcess, GivesOutputErrorsAndExitStatus) {
  auto ran = run_child(shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->output, "out\n");
  EXPECT_EQ(ran->errors, "err\n");
  EXPECT_EQ(ran->exit_status, 3);
  EXPECT_FALSE(ran->succeeded());
  EXPECT_EQ(ran->how_it_ended({}), "exit status 3");
}

TEST(ChildProcess, FeedsInputAndEnvironment) {
  ChildRequest request = shell("cat; printf %s \"$GANTRY_TEST\"");
  request.input = std::string(200'000, 'x');
  request.environment = {{"GANTRY_TEST", "yes"}};
  auto ran = run_child(request);
  ASSERT_TRUE(ran);
  EXPECT_TRUE(ran->succeeded());
  EXPECT_EQ(ran->output, request.input + "yes");
}

TEST(ChildProcess, GoesOnIfTheChildDoesNotReadItsInput) {
  ChildRequest request = shell("exec <&-; exit 0");
  request.input = std::string(1'000'000, 'x');
  auto ran = run_child(request);
  ASSERT_TRUE(ran);
  EXPECT_TRUE(ran->succeeded());
}

TEST(ChildProcess, EndsAChildThatTakesTooLongTogetherWithItsChildren) {
  const ScratchDirectory scratch;
  ChildRequest request = shell("(sleep 300) & echo $! > " + scratch.path() + "/pid; wait");
  request.timeout = std::chrono::milliseconds(500);
  auto ran = run_child(request);
  ASSERT_TRUE(ran);
  EXPECT_TRUE(ran->timed_out);
  EXPECT_THAT(ran->how_it_ended(request.timeout), HasSubstr("no end after 0.5"));
}

TEST(ChildProcess, DoesNotWaitForBackgroundProcessesOfTheChild) {
  const auto begin = std::chrono::steady_clock::now();
  auto ran = run_child(shell("sleep 60 & echo started"));
  ASSERT_TRUE(ran);
  EXPECT_TRUE(ran->succeeded());
  EXPECT_EQ(ran->output, "started\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(50));
}

TEST(ChildProcess, KeepsTheLastOfTooMuchOutput) {
  ChildRequest request = shell("i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done");
  request.most_output = 100;
  auto ran = run_child(request);
  ASSERT_TRUE(ran);
  EXPECT_TRUE(ran->cut);
  EXPECT_EQ(ran->output.size(), 100u);
  EXPECT_EQ(last_line(ran->output), "line 1999");
}

TEST(ChildProcess, EndsWithTheStop) {
  std::stop_source stop;
  std::jthread stopper([&stop] { stop.request_stop(); });
  auto ran = run_child(shell("sleep 300"), stop.get_token());
  ASSERT_TRUE(ran);
  EXPECT_TRUE(ran->stopped);
}

TEST(ChildProcess, LeavesBehindAChildThatCannotBeEnded) {
  ChildRequest request = shell("trap '' TERM; while :; do sleep 0.05; done");
  // Time for the shell to set its trap on a busy machine.
  request.timeout = std::chrono::seconds(3);
  request.end_signal = SIGTERM;
  request.end_wait = std::chrono::milliseconds(300);
  auto ran = run_child(request);
  ASSERT_TRUE(ran);
  EXPECT_TRUE(ran->timed_out);
  EXPECT_FALSE(ran->succeeded());
  ASSERT_GT(ran->left_behind, 0);
  EXPECT_FALSE(has_ended(ran->left_behind));
  ::kill(-ran->left_behind, SIGKILL);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  bool ended = false;
  while (!ended && std::chrono::steady_clock::now() < end) ended = has_ended(ran->left_behind);
  EXPECT_TRUE(ended);
}

TEST(ChildProcess, NamesTheSignalThatEndedTheChild) {
  auto ran = run_child(shell("kill -9 $$"));
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->how_it_ended({}), "killed by signal 9");
}

TEST(ChildProcess, NamesAProgramThatCannotBeRun) {
  const ScratchDirectory scratch;
  auto absent = run_child({.program = "/nowhere/command"});
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error().message, HasSubstr("/nowhere/command: cannot be run"));
  EXPECT_FALSE(run_child({.program = "gantry-no-such-program"}));
  EXPECT_FALSE(run_child({.program = scratch.write("plain", "text", 0644)}));
}

TEST(ChildProcess, GivesTheChildNoDescriptorsOfItsOwn) {
  auto ran = run_child(shell("ls /proc/self/fd | wc -l"));
  ASSERT_TRUE(ran);
  EXPECT_EQ(last_line(ran->output), "4") << "input, output, errors, and the directory that ls reads";
}

TEST(LastLine, SkipsBlankLines) {
  EXPECT_EQ(last_line("a\nb\n\n  \n"), "b");
  EXPECT_EQ(last_line("a"), "a");
  EXPECT_EQ(last_line("\n \n"), "");
  EXPECT_EQ(last_line(""), "");
}

}  // namespace
}  // namespace gantry::cli::agent
