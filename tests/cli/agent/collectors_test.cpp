// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/collectors.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace gantry::cli::agent {
namespace {

using support::ScratchDirectory;

std::string provider(const std::string& keys, const std::string& body) {
  return "if [ \"$1\" = --provides ]; then printf '" + keys + "\\n'; exit 0; fi\n" + body + "\n";
}

class Collectors : public testing::Test {
 protected:
  std::vector<Collector> find() {
    auto found = find_collectors(scratch_.path(), limits_, *logger_, {});
    EXPECT_TRUE(found);
    return found ? std::move(*found) : std::vector<Collector>();
  }
  std::string collected(const std::set<std::string>& wanted) {
    auto found = find();
    return json::write_canonical(collect(found, wanted, limits_, *logger_, {}));
  }
  ScratchDirectory scratch_;
  CollectorLimits limits_{std::chrono::seconds(20), 4096};
  std::shared_ptr<telemetry::Logger> logger_ = telemetry::Logger::none();
};

TEST_F(Collectors, RunOnlyIfTheyProvideAWantedKey) {
  scratch_.script("10-rack", provider("rack\\nrow", "echo '{\"rack\":\"r1\",\"row\":7}'"));
  scratch_.script("20-other", provider("power", "touch " + scratch_.path() + "/ran; echo '{\"power\":1}'"));
  EXPECT_EQ(collected({"rack"}), R"({"rack":"r1"})");
  EXPECT_FALSE(std::filesystem::exists(scratch_.path() + "/ran"));
}

TEST_F(Collectors, KeepOnlyKeysThatTheyDeclare) {
  scratch_.script("rack", provider("rack", "echo '{\"rack\":\"r1\",\"vcpus\":4000}'"));
  EXPECT_EQ(collected({"rack", "vcpus"}), R"({"rack":"r1"})");
}

TEST_F(Collectors, CountInTheOrderOfTheirNames) {
  scratch_.script("20-b", provider("rack", "echo '{\"rack\":\"b\"}'"));
  scratch_.script("10-a", provider("rack", "echo '{\"rack\":\"a\"}'"));
  EXPECT_EQ(collected({"rack"}), R"({"rack":"a"})");
}

TEST_F(Collectors, ClearTheirKeysIfTheyFailTalkTooMuchOrPrintNoJson) {
  scratch_.script("fails", provider("a", "echo '{\"a\":1}'; exit 1"));
  scratch_.script("text", provider("b", "echo hello"));
  scratch_.script("list", provider("c", "echo '[1]'"));
  scratch_.script("much", provider("d", "head -c 10000 /dev/zero | tr '\\\\0' ' '; echo '{\"d\":1}'"));
  scratch_.script("good", provider("e", "echo '{\"e\":1}'"));
  EXPECT_EQ(collected({"a", "b", "c", "d", "e"}), R"({"a":null,"b":null,"c":null,"d":null,"e":1})");
}

TEST_F(Collectors, ClearAKeyThatTheyProvideAndDoNotTell) {
  scratch_.script("rack", provider("rack\\nrow", "echo '{\"rack\":\"r1\"}'"));
  EXPECT_EQ(collected({"rack", "row"}), R"({"rack":"r1","row":null})");
}

TEST_F(Collectors, AnotherCollectorReplacesAFailedOne) {
  scratch_.script("10-fails", provider("rack", "exit 1"));
  scratch_.script("20-good", provider("rack", "echo '{\"rack\":\"r2\"}'"));
  EXPECT_EQ(collected({"rack"}), R"({"rack":"r2"})");
}

TEST_F(Collectors, ClearNothingWhenTheAgentEnds) {
  scratch_.script("slow", provider("rack", "sleep 300"));
  auto found = find();
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(json::write(collect(found, {"rack"}, limits_, *logger_, stop.get_token())), "{}");
}

TEST_F(Collectors, AreNotRunAgainWhileTheirLastProcessWouldNotEnd) {
  scratch_.script("rack", provider("rack", "touch " + scratch_.path() + "/ran; echo '{\"rack\":\"r1\"}'"));
  auto found = find();
  const pid_t hanging = ::fork();
  if (hanging == 0) {
    ::pause();
    ::_exit(0);
  }
  found.front().left_behind = hanging;
  EXPECT_EQ(json::write(collect(found, {"rack"}, limits_, *logger_, {})), R"({"rack":null})");
  EXPECT_FALSE(std::filesystem::exists(scratch_.path() + "/ran"));
  ::kill(hanging, SIGKILL);
  siginfo_t ignored{};
  ::waitid(P_PID, static_cast<id_t>(hanging), &ignored, WEXITED | WNOWAIT);
  EXPECT_EQ(json::write(collect(found, {"rack"}, limits_, *logger_, {})), R"({"rack":"r1"})");
}

TEST_F(Collectors, AreSkippedIfTheyDoNotSayWhatTheyProvide) {
  scratch_.script("silent", "exit 0\n");
  scratch_.script("fails", "exit 1\n");
  scratch_.script("odd", "echo 'a key'\n");
  EXPECT_TRUE(find().empty());
}

TEST_F(Collectors, AreSkippedIfTheyHang) {
  limits_.timeout = std::chrono::milliseconds(500);
  scratch_.script("hangs", "sleep 300\n");
  EXPECT_TRUE(find().empty());
}

TEST_F(Collectors, AreNotRunIfOthersMayWriteThem) {
  const std::string body = "touch " + scratch_.path() + "/ran\n" + provider("a", "echo '{}'");
  scratch_.script("group", body, 0775);
  scratch_.script("world", body, 0757);
  EXPECT_TRUE(find().empty());
  EXPECT_FALSE(std::filesystem::exists(scratch_.path() + "/ran"));
}

TEST_F(Collectors, AreExecutableFilesThatAreNotHidden) {
  const std::string body = provider("a", "echo '{\"a\":1}'");
  scratch_.script(".hidden", body);
  scratch_.script("README", body, 0644);
  std::filesystem::create_directory(scratch_.path() + "/folder");
  EXPECT_TRUE(find().empty());
}

TEST_F(Collectors, NeedADirectoryThatIsThere) {
  auto found = find_collectors("/nowhere/collectors.d", limits_, *logger_, {});
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, testing::HasSubstr("/nowhere/collectors.d"));
}

}  // namespace
}  // namespace gantry::cli::agent
