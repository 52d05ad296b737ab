// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/cli/terminal/arguments.hpp"
#include "core/cli/terminal/exit_code.hpp"
#include "tests/cli/fake_daemon.hpp"

namespace gantry::cli::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CommandLine : public testing::Test {
 protected:
  Result<Parsed> parse(const std::vector<std::string>& words) { return parse_command_line(table_, words); }
  std::string refusal(const std::vector<std::string>& words) {
    auto parsed = parse(words);
    EXPECT_FALSE(parsed);
    return parsed ? "" : parsed.error().message;
  }
  CommandTable table_ = command_table();
};

TEST_F(CommandLine, TakesGlobalOptionsBeforeAndBehindTheCommand) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"-o", "json", "server", "list"},
                                                {"server", "list", "-o", "json"},
                                                {"server", "--output=json", "list"},
                                                {"server", "list", "-ojson"}}) {
    auto parsed = parse(words);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->command->path, "server list");
    EXPECT_EQ(parsed->arguments.text("output"), "json");
  }
}

TEST_F(CommandLine, FillsInFallbacks) {
  auto parsed = parse({"host", "show", "c1"});
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->arguments.text("topic"), "compute");
  EXPECT_EQ(parsed->arguments.text("HOST"), "c1");
  EXPECT_EQ(parsed->arguments.number("timeout"), 30.0);
  EXPECT_FALSE(parsed->arguments.has("node"));
}

TEST_F(CommandLine, GathersRepeatedOptionsAndWords) {
  auto parsed = parse({"server", "create", "--hint", "a=1", "web", "--hint", "b=2"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_THAT(parsed->arguments.all("hint"), ElementsAre("a=1", "b=2"));
  auto deleted = parse({"server", "delete", "a", "b"});
  ASSERT_TRUE(deleted);
  EXPECT_THAT(deleted->arguments.all("SERVER"), ElementsAre("a", "b"));
}

TEST_F(CommandLine, TakesADashAsAValueAndAllBehindTwoDashesAsWords) {
  auto parsed = parse({"select", "--request", "-"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->arguments.text("request"), "-");
  auto shown = parse({"server", "show", "--", "--odd"});
  ASSERT_TRUE(shown) << shown.error().message;
  EXPECT_EQ(shown->arguments.text("SERVER"), "--odd");
}

TEST_F(CommandLine, DoesNotGuessShortenedOptions) {
  EXPECT_THAT(refusal({"select", "--alter", "2"}), HasSubstr("--alter"));
}

TEST_F(CommandLine, SuggestsTheNearestCommand) {
  EXPECT_THAT(refusal({"servr", "list"}), HasSubstr("did you mean `server`"));
  EXPECT_THAT(refusal({"server", "lst"}), HasSubstr("did you mean `server list`"));
  EXPECT_THAT(refusal({"statu"}), HasSubstr("did you mean `status`"));
}

TEST_F(CommandLine, SuggestsTheNearestOption) {
  EXPECT_THAT(refusal({"server", "create", "--flavour", "m1.tiny", "web"}), HasSubstr("did you mean `--flavor`"));
  EXPECT_THAT(refusal({"--ouput", "json", "status"}), HasSubstr("did you mean `--output`"));
}

TEST_F(CommandLine, SaysWhatIsMissing) {
  EXPECT_THAT(refusal({"server", "create"}), HasSubstr("NAME is missing"));
  EXPECT_THAT(refusal({"group", "create", "g"}), HasSubstr("--policy POLICY is missing"));
  EXPECT_THAT(refusal({"server"}), HasSubstr("create, "));
  EXPECT_THAT(refusal({}), HasSubstr("a command is missing"));
}

TEST_F(CommandLine, RefusesWordsThatACommandHasNoUseFor) {
  EXPECT_THAT(refusal({"status", "now"}), HasSubstr("no use for \"now\""));
}

TEST_F(CommandLine, ChecksNumbersAndChoices) {
  EXPECT_THAT(refusal({"server", "create", "--count", "two", "web"}),
              HasSubstr("found \"two\", expected a whole number"));
  EXPECT_THAT(refusal({"server", "create", "--count", "0", "web"}), HasSubstr("expected at least 1"));
  EXPECT_THAT(refusal({"-o", "jsn", "status"}), HasSubstr("did you mean `json`"));
  EXPECT_THAT(refusal({"group", "create", "--policy", "afinity", "g"}), HasSubstr("did you mean `affinity`"));
  EXPECT_THAT(refusal({"--timeout", "inf", "status"}), HasSubstr("expected a number"));
}

TEST(Program, EndsWithTwoAfterAUsageErrorAndWritesNothingToStandardOutput) {
  const Ran ran = run({"sevrer", "list"});
  EXPECT_EQ(ran.code, exit_code::usage);
  EXPECT_TRUE(ran.out.empty());
  EXPECT_THAT(ran.err, testing::StartsWith("gantry: "));
}

TEST(Program, TellsItsVersionAndTheDriverAbi) {
  const Ran ran = run({"--version"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, testing::MatchesRegex("gantry [0-9.]+, driver ABI [0-9.]+\n"));
}

TEST(Help, IsThereAtEveryLevel) {
  EXPECT_THAT(run({"--help"}).out, HasSubstr("Commands:"));
  EXPECT_THAT(run({"server", "-h"}).out, HasSubstr("server create"));
  EXPECT_THAT(run({"server", "create", "--help"}).out, HasSubstr("gantry server create [options] NAME"));
  EXPECT_THAT(run({"server", "create", "web", "-h"}).out, HasSubstr("Usage:")) << "words do not matter";
  EXPECT_EQ(run({"help", "server", "create"}).out, run({"server", "create", "-h"}).out);
  EXPECT_EQ(run({"help"}).out, run({"-h"}).out);
}

TEST(Help, ShowsExamplesForEveryCommand) {
  for (const Command& command : command_table().commands) {
    if (command.hidden) continue;
    EXPECT_FALSE(command.examples.empty()) << command.path;
    EXPECT_FALSE(command.summary.empty()) << command.path;
    std::vector<std::string> words{"help"};
    std::istringstream path(command.path);
    for (std::string word; path >> word;) words.push_back(word);
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << command.path;
    for (const Option& option : command.options) EXPECT_THAT(ran.out, HasSubstr("--" + option.name)) << command.path;
  }
}

TEST(Help, RefusesAnUnknownCommand) {
  const Ran ran = run({"help", "servers"});
  EXPECT_EQ(ran.code, exit_code::usage);
  EXPECT_THAT(ran.err, HasSubstr("did you mean `server`"));
}

TEST(CommandTable, HasNoTwoOptionsOfOneNameInACommand) {
  const CommandTable table = command_table();
  for (const Command& command : table.commands) {
    std::set<std::string> names;
    std::set<char> letters;
    std::vector<Option> all = table.global_options;
    all.insert(all.end(), command.options.begin(), command.options.end());
    for (const Option& option : all) {
      EXPECT_TRUE(names.insert(option.name).second) << command.path << " --" << option.name;
      if (option.letter != 0) {
        EXPECT_TRUE(letters.insert(option.letter).second) << command.path << " -" << option.letter;
      }
    }
  }
}

}  // namespace
}  // namespace gantry::cli::test
