// SPDX-License-Identifier: Apache-2.0
//
// Each command that shows an answer, with an answer that has all that the daemon's own can have: a field of a table that
// stays empty is one that the daemon does not know.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "core/cli/terminal/command.hpp"
#include "tests/cli/fake_daemon.hpp"

namespace gantry::cli::test {
namespace {

using testing::IsEmpty;

// Commands that ask no daemon, or go on until they are ended.
bool is_left_out(const std::string& path) {
  static const std::vector<std::string> others{"agent",
                                               "backup",
                                               "restore",
                                               "upgrade check",
                                               "host import",
                                               "whatif",
                                               "fleet compare",
                                               "driver list",
                                               "config check",
                                               "config show",
                                               "config sample",
                                               "config import-nova",
                                               "driver inspect",
                                               "driver new",
                                               "driver build",
                                               "driver dev",
                                               "driver test",
                                               "driver install",
                                               "driver remove",
                                               "driver diff",
                                               "nova check",
                                               "nova grants",
                                               "completion",
                                               "man",
                                               "api",
                                               "ui"};
  return std::ranges::find(others, path) != others.end();
}

// The words of commands for which 7 for each argument will not do.
const std::map<std::string, std::vector<std::string>>& words_of_commands() {
  static const std::map<std::string, std::vector<std::string>> words{{"log-level", {"debug"}},
                                                                     {"server create", {"--no-wait", "web"}},
                                                                     {"group create", {"--policy", "affinity", "web"}},
                                                                     {"aggregate set", {"--name", "fast", "web"}},
                                                                     {"token create", {"--role", "reader", "web"}}};
  return words;
}

std::vector<std::string> words_for(const Command& command) {
  std::vector<std::string> words;
  std::istringstream path(command.path);
  for (std::string word; path >> word;) words.push_back(word);
  const auto known = words_of_commands().find(command.path);
  if (known != words_of_commands().end()) {
    words.insert(words.end(), known->second.begin(), known->second.end());
    return words;
  }
  for (const auto& positional : command.positionals)
    if (positional.required) words.emplace_back("7");
  return words;
}

// The lines of a table, or of values, that have a cell without a value.
std::vector<std::string> lines_with_a_gap(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    for (std::string word; words >> word;)
      if (word == "-") lines.push_back(line);
  }
  return lines;
}

TEST(AnswerFields, AreThereForEachCellOfEachCommand) {
  for (const auto& command : command_table().commands) {
    if (command.hidden || is_left_out(command.path)) continue;
    SCOPED_TRACE(command.path);
    FakeDaemon daemon;
    daemon.answer_in_full();
    const auto ran = run(daemon, words_for(command));
    EXPECT_GT(daemon.asked_in_all(), 0U) << "the test does not reach the daemon: " << ran.err;
    EXPECT_THAT(lines_with_a_gap(ran.out), IsEmpty()) << ran.out;
  }
}

TEST(AnswerFields, OfAnInventedAnswerAreFound) {
  const auto lines =
      support::invented_in("recent_decision", *json::parse(R"({"steps":[{"name":"a","in":12,"hosts_out":"0"}]})"));
  EXPECT_THAT(lines, testing::ElementsAre("recent_decision.steps[].in is no member of the daemon's answer",
                                          "recent_decision.steps[].hosts_out: the daemon answers with the type "
                                          "integer, not string"));
}

}  // namespace
}  // namespace gantry::cli::test
