// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/cli/agent/child_process.hpp"
#include "core/cli/completion.hpp"
#include "core/cli/manual.hpp"
#include "tests/cli/fake_daemon.hpp"

namespace gantry::cli::test {
namespace {

using testing::HasSubstr;

// What bash would offer for `words`, of which the last is under the cursor.
std::string bash_offers(const std::vector<std::string>& words) {
  std::string script = bash_completion(command_table()) + "COMP_WORDS=(";
  for (const std::string& word : words) script += "'" + word + "' ";
  script += ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) + "\n_gantry\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
  auto ran = agent::run_child({.program = "bash",
                               .arguments = {"-s"},
                               .environment = {},
                               .input = script,
                               .timeout = std::chrono::seconds(30)});
  EXPECT_TRUE(ran && ran->succeeded()) << (ran ? ran->errors : ran.error().message);
  return ran ? ran->output : "";
}

TEST(Completion, OffersCommandsThenVerbsThenOptions) {
  EXPECT_THAT(bash_offers({"gantry", "se"}), testing::AllOf(HasSubstr("server\n"), HasSubstr("select\n")));
  EXPECT_THAT(bash_offers({"gantry", "server", ""}), HasSubstr("create\n"));
  EXPECT_THAT(bash_offers({"gantry", "server", "create", "--fl"}), HasSubstr("--flavor\n"));
}

TEST(Completion, LooksPastGlobalOptionsAndTheirValues) {
  EXPECT_THAT(bash_offers({"gantry", "-o", "json", "server", "cr"}), HasSubstr("create\n"));
  EXPECT_THAT(bash_offers({"gantry", "-o", "js"}), HasSubstr("json\n"));
}

TEST(Completion, NamesEveryCommandForEachShell) {
  const CommandTable table = command_table();
  for (const std::string& script : {bash_completion(table), zsh_completion(table), fish_completion(table)})
    for (const Group& group : table.groups) EXPECT_THAT(script, HasSubstr(group.name));
}

TEST(Completion, KnowsThreeShells) {
  EXPECT_EQ(run({"completion", "bash"}).code, 0);
  EXPECT_EQ(run({"completion", "zsh"}).code, 0);
  EXPECT_EQ(run({"completion", "fish"}).code, 0);
  EXPECT_EQ(run({"completion", "csh"}).code, 2);
}

TEST(Api, IsTheDocumentThatTheDaemonServes) {
  FakeDaemon daemon;
  daemon.on("/openapi.json", R"({"openapi":"3.1.0","paths":{}})");
  const Ran ran = run(daemon, {"api"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(json::write(*json::parse(ran.out)), R"({"openapi":"3.1.0","paths":{}})");
}

TEST(Manual, ExplainsEveryCommandThatIsNotHidden) {
  const CommandTable table = command_table();
  const std::string text = manual(table);
  for (const Command& command : table.commands) {
    const std::string heading = "## " + command.path + "\n";
    if (command.hidden) {
      EXPECT_THAT(text, testing::Not(HasSubstr(heading)));
    } else {
      EXPECT_THAT(text, HasSubstr(heading));
    }
  }
}

TEST(Manual, IsWhatScdocTakes) {
  auto ran = agent::run_child({.program = "scdoc",
                               .arguments = {},
                               .environment = {},
                               .input = manual(command_table()),
                               .timeout = std::chrono::seconds(30)});
  if (!ran) GTEST_SKIP() << "scdoc is not installed";
  EXPECT_TRUE(ran->succeeded()) << ran->errors;
  EXPECT_THAT(ran->output, HasSubstr(".SH NAME"));
}

}  // namespace
}  // namespace gantry::cli::test
