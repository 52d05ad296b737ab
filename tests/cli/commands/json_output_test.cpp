// SPDX-License-Identifier: Apache-2.0
//
// The output with -o json: answers on standard output; errors and warnings, a line each, on standard error.
#include <gmock/gmock.h>

#include "core/cli/terminal/exit_code.hpp"
#include "tests/cli/fake_daemon.hpp"

namespace gantry::cli::test {
namespace {

using testing::HasSubstr;

json::object error_in(const Ran& ran) {
  const auto line = json::parse_object(ran.err);
  EXPECT_TRUE(line) << ran.err;
  const json::object* error = line ? json::find_object(*line, "error") : nullptr;
  EXPECT_NE(error, nullptr) << ran.err;
  return error == nullptr ? json::object() : *error;
}

void fail_with(FakeDaemon& daemon, const std::string& method, ErrorCode code, std::string details = {}) {
  daemon.on(method, [=](const json::object&) -> Result<json::value> { return Error{code, "it is so", details}; });
}

TEST(JsonOutput, TellsAnErrorOfTheDaemonAsOneLine) {
  FakeDaemon daemon;
  fail_with(daemon, "select_destinations", ErrorCode::no_valid_host,
            R"({"driver":"simple","steps":[{"name":"up","hosts_in":1,"hosts_out":0}]})");
  const Ran ran = run(daemon, {"-o", "json", "select", "--vcpus", "9999"});
  EXPECT_EQ(ran.code, exit_code::no_valid_host);
  EXPECT_EQ(ran.out, "");
  const json::object error = error_in(ran);
  EXPECT_EQ(json::find_string(error, "code"), "no_valid_host");
  EXPECT_EQ(json::find_string(error, "message"), "it is so");
  EXPECT_EQ(json::find_integer(error, "exit_code"), 3);
  EXPECT_NE(json::find_array(*json::find_object(error, "details"), "steps"), nullptr);
}

class JsonOfAWrongCommandLine : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(JsonOfAWrongCommandLine, IsAnErrorToo) {
  const Ran ran = run(GetParam());
  EXPECT_EQ(ran.code, exit_code::usage);
  EXPECT_EQ(json::find_string(error_in(ran), "code"), "invalid_argument");
}

INSTANTIATE_TEST_SUITE_P(Every, JsonOfAWrongCommandLine,
                         testing::Values(std::vector<std::string>{"-o", "json", "nosuch"},
                                         std::vector<std::string>{"server", "list", "--nosuch", "--output=json"},
                                         std::vector<std::string>{"-ojson", "server", "create", "--count", "0", "web"},
                                         std::vector<std::string>{"-o", "json", "--request-id", "abc", "status"}));

TEST(JsonOutput, TellsAWarningAsALine) {
  FakeDaemon daemon;
  const Ran ran =
      run(daemon, {"-o", "json", "--quiet", "config", "import-nova", "-"}, "[scheduler]\ndriver = site.Scheduler\n");
  EXPECT_TRUE(json::parse_object(ran.out)) << ran.out;
  const auto line = json::parse_object(ran.err);
  ASSERT_TRUE(line) << ran.err;
  EXPECT_THAT(std::string(json::find_string(*line, "warning").value_or("")), HasSubstr("site.Scheduler"));
}

TEST(JsonOutput, IsOneListOfWhatWasDeleted) {
  FakeDaemon daemon;
  daemon.on("delete_instance", "{}");
  const Ran ran = run(daemon, {"-o", "json", "server", "delete", "a", "b", "c"});
  EXPECT_EQ(ran.code, 0);
  const auto answers = json::parse(ran.out);
  ASSERT_TRUE(answers && answers->is_array()) << ran.out;
  EXPECT_EQ(answers->get_array().size(), 3U);
}

TEST(JsonOutput, ListsWhatWasDeletedBeforeAnError) {
  FakeDaemon daemon;
  daemon.on("delete_instance", [](const json::object& args) -> Result<json::value> {
    if (json::find_string(args, "instance") == "b") return Error{ErrorCode::not_found, "no server 'b'", ""};
    return json::value(json::object());
  });
  const Ran ran = run(daemon, {"-o", "json", "server", "delete", "a", "b", "c"});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_EQ(json::parse(ran.out)->get_array().size(), 1U) << ran.out;
  EXPECT_THAT(std::string(*json::find_string(error_in(ran), "message")), HasSubstr("b: no server 'b'"));
  EXPECT_EQ(daemon.asked("delete_instance").size(), 2U);
}

class JsonOfAText : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(JsonOfAText, IsAnObject) {
  std::vector<std::string> words{"-o", "json"};
  words.insert(words.end(), GetParam().begin(), GetParam().end());
  const Ran ran = run(words);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(json::parse_object(ran.out)) << ran.out.substr(0, 80);
}

INSTANTIATE_TEST_SUITE_P(Every, JsonOfAText,
                         testing::Values(std::vector<std::string>{"config", "sample"},
                                         std::vector<std::string>{"completion", "bash"},
                                         std::vector<std::string>{"--version"}));

class ManyNames : public testing::TestWithParam<std::pair<std::vector<std::string>, std::string>> {};

TEST_P(ManyNames, AreDeletedByOneCommand) {
  FakeDaemon daemon;
  const auto& [verb, method] = GetParam();
  auto words = verb;
  words.insert(words.end(), {"one", "two"});
  const Ran ran = run(daemon, words);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(daemon.asked(method).size(), 2U);
  EXPECT_THAT(ran.out, testing::AllOf(HasSubstr(" one\n"), HasSubstr(" two\n")));
}

INSTANTIATE_TEST_SUITE_P(Every, ManyNames,
                         testing::Values(std::pair(std::vector<std::string>{"server", "delete"}, "delete_instance"),
                                         std::pair(std::vector<std::string>{"group", "delete"}, "delete_group"),
                                         std::pair(std::vector<std::string>{"aggregate", "delete"}, "delete_aggregate"),
                                         std::pair(std::vector<std::string>{"host", "remove"}, "remove_host"),
                                         std::pair(std::vector<std::string>{"token", "revoke"}, "revoke_token")));

class WrongWord : public testing::TestWithParam<std::pair<std::vector<std::string>, std::string>> {};

TEST_P(WrongWord, IsRefusedWithWhatWasExpected) {
  FakeDaemon daemon;
  const Ran ran = run(daemon, GetParam().first);
  EXPECT_EQ(ran.code, exit_code::usage);
  EXPECT_THAT(ran.err, HasSubstr(GetParam().second));
  EXPECT_EQ(daemon.asked_in_all(), 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Every, WrongWord,
    testing::Values(
        std::pair(std::vector<std::string>{"server", "create", "--count", "1000000", "web"},
                  "--count: found \"1000000\", expected at most 10000"),
        std::pair(std::vector<std::string>{"select", "--count", "10001"}, "expected at most 10000"),
        std::pair(std::vector<std::string>{"server", "list", "--vm-state", "bogus"}, "building, active, error"),
        std::pair(std::vector<std::string>{"--request-id", "abc", "status"},
                  "--request-id: found \"abc\", expected req-"),
        std::pair(std::vector<std::string>{"--remote-address", "999.1.1.1", "select"}, "expected an IP address"),
        std::pair(std::vector<std::string>{"--remote-address", "foo", "select"}, "expected an IP address")));

TEST(Help, ExplainsItself) {
  EXPECT_THAT(run({"help", "help"}).out, HasSubstr("Usage: gantry"));
  EXPECT_THAT(run({"help", "help", "select"}).out, HasSubstr("Usage: gantry select"));
}

TEST(Completion, OffersFlavorsAndNamesOfServers) {
  const std::string script = run({"completion", "bash"}).out;
  EXPECT_THAT(script, HasSubstr("m1.tiny m1.small"));
  EXPECT_THAT(script, HasSubstr("gantry --timeout 2 -o value server list"));
}

}  // namespace
}  // namespace gantry::cli::test
