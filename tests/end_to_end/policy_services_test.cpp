// SPDX-License-Identifier: Apache-2.0
//
// A driver that asks a policy service, in the service's process and in one of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/end_to_end/site_driver.hpp"
#include "tests/nova/http/scripted_server.hpp"

namespace gantry::test {
namespace {

using nova::testing::ScriptedServer;
using ::testing::AllOf;
using ::testing::HasSubstr;

// A driver that picks the host which the service names. Without an answer it picks the first host.
SiteDriver asking_driver() {
  SiteDriver driver;
  driver.manifest = "[columns]\\nneeds = ['host']\\n";
  driver.top = R"(
#include "gantry/ext/ask.h"
#include <string.h>
#define TEXT(literal) ((gantry_string){(literal), sizeof(literal) - 1})
static const gantry_host *host;
static const gantry_ask_services *services;
static int names(gantry_string body, gantry_string name) {
  return memmem(body.data, body.size, name.data, name.size) != NULL;
}
)";
  driver.create = R"(services = given->extension(given, TEXT(GANTRY_ASK_EXTENSION));)";
  driver.begin = R"(
  gantry_answer answer = {.struct_size = sizeof answer};
  const gantry_string question = TEXT("{\"ask\":\"host\"}");
  gantry_code asked = services->ask(call, TEXT("policy"), question, &answer);
  if (asked != GANTRY_OK) {
    gantry_step step = {.struct_size = sizeof step, .name = TEXT("policy"), .hosts_in = 2, .hosts_out = 2, .reason = answer.body};
    host->explain(call, &step);
  }
  const gantry_column *hosts = host->column(call, request->view, TEXT("host"));
  const gantry_string *dictionary = hosts->dictionary;
  const uint32_t *codes = hosts->values;
  for (uint32_t row = 0; asked == GANTRY_OK && row < request->view->rows; ++row) {
    gantry_pick named = {.struct_size = sizeof named, .instance = 0, .row = row};
    if (names(answer.body, dictionary[codes[row]])) return host->pick(call, &named);
  })";
  return driver;
}

constexpr auto two_hosts = R"(
[[hosts]]
name = "host{1..2}"
vcpus = 4
memory_mb = 8192
local_gb = 100
)";

class PolicyService : public ::testing::TestWithParam<const char*> {
 protected:
  void serve(const std::string& more = {}) {
    build(asking_driver(), gantry);
    gantry.configure("[\"first\"]", "[driver.first]\nisolation = \"" + std::string(GetParam()) + "\"\n" + more);
    gantry.start();
    gantry.simulate(two_hosts);
    ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 2; }));
  }
  std::string section(const std::string& more = {}) const {
    return "[ask.policy]\nurl = \"" + server->url("/v1") + "\"\n" + more;
  }
  // The service answers so from now on.
  void answer(const std::string& body, int status = 200) {
    const std::lock_guard lock(mutex);
    reply = {.bytes = ScriptedServer::answer(status, body)};
  }
  void hang() {
    const std::lock_guard lock(mutex);
    reply = {.hangs = true};
  }
  // The answer to a request for one instance, with the steps of its decision.
  Ran select(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"select", "--vcpus", "1", "--memory-mb", "64", "--explain"};
    words.insert(words.end(), more.begin(), more.end());
    return gantry.gantry(words);
  }

  RunningGantry gantry;
  std::mutex mutex;
  ScriptedServer::Reply reply{.bytes = ScriptedServer::answer(200, R"({"host":"host2"})")};  // guarded by mutex
  std::unique_ptr<ScriptedServer> server = std::make_unique<ScriptedServer>([this](const std::string&) {
    const std::lock_guard lock(mutex);
    return reply;
  });
};

TEST_P(PolicyService, NamesTheHost) {
  const auto token = gantry.directory() / "token";
  std::ofstream(token) << "secret-of-the-site\n";
  std::filesystem::permissions(token, std::filesystem::perms(0600));
  serve(section("drivers = [\"first\"]\ntoken_file = \"" + token.string() + "\"\n"));
  for (const std::string host : {"host1", "host2", "host1"}) {
    answer(R"({"host":")" + host + "\"}");
    EXPECT_THAT(select().out, HasSubstr(host));
  }
  EXPECT_THAT(server->requests().front(), AllOf(HasSubstr("POST /v1 HTTP/1.1"), HasSubstr(R"({"ask":"host"})"),
                                                HasSubstr("Authorization: Bearer secret-of-the-site")));
}

TEST_P(PolicyService, ThatGivesNoUsableAnswerLeavesTheDecisionToTheDriver) {
  serve(section("timeout = 0.2\n"));
  const auto says = [this](const std::string& reason) {
    const auto ran = select();
    EXPECT_EQ(ran.exit_status, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr(reason));
  };
  answer("{}", 500);
  says("the service 'policy' answered with status 500");
  answer("host2");
  says("the service 'policy' answered no JSON");
  answer("\"" + std::string(2 << 20, 'x') + "\"");
  says("the service 'policy' answered more than 1048576 bytes");
  hang();
  says("the service 'policy' has not answered in time");
  server.reset();
  says("the service 'policy' cannot be asked");
  EXPECT_THAT(gantry.log(), HasSubstr("a policy service fails"));
}

TEST_P(PolicyService, ThatIsNotConfiguredIsNamedToTheDriver) {
  serve();
  EXPECT_THAT(select().out, HasSubstr("[ask.policy] is to name it"));
}

TEST_P(PolicyService, IsNotAskedAgainWhereADecisionIsRepeated) {
  serve(section());
  const auto made = gantry.gantry({"server", "create", "--no-wait", "--vcpus", "1", "--memory-mb", "64", "web"});
  ASSERT_EQ(made.exit_status, 0) << made.err;
  const auto asked = server->requests().size();
  answer(R"({"host":"host1"})");
  const auto before = gantry.gantry({"why-not", "web", "host1"});
  EXPECT_EQ(before.exit_status, 0) << before.err;
  EXPECT_EQ(server->requests().size(), asked);
  server.reset();
  const auto after = gantry.gantry({"why-not", "web", "host1"});
  EXPECT_EQ(after.exit_status, 0) << after.err;
  EXPECT_EQ(after.out, before.out);
}

TEST_P(PolicyService, WithLongAnswersLeavesADecisionThatCannotBeRepeated) {
  serve(section());
  answer(R"({"host":"host2","why":")" + std::string(70 << 10, 'x') + "\"}");
  const auto made = gantry.gantry({"server", "create", "--no-wait", "--vcpus", "1", "--memory-mb", "64", "web"});
  ASSERT_EQ(made.exit_status, 0) << made.err;
  const auto why = gantry.gantry({"why-not", "web", "host1"});
  EXPECT_NE(why.exit_status, 0);
  EXPECT_THAT(why.err, HasSubstr("the answers of its policy services were too long to keep"));
}

INSTANTIATE_TEST_SUITE_P(AskedFrom, PolicyService, ::testing::Values("none", "process"),
                         [](const auto& of) { return std::string(of.param); });

TEST(PolicyServices, OfAWrongConfigurationAreRefused) {
  RunningGantry gantry;
  gantry.configure(
      "[\"simple\"]",
      "[ask.policy]\nurl = \"ftp://x\"\ntimeouts = 1\ndrivers = [\"simpel\"]\n[ask.other]\ntimeout = 90\n");
  const auto refused = gantry.start_refused();
  EXPECT_EQ(refused.exit_status, 78);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("ask.policy.url: expected a URL in quotes, http://HOST[:PORT][/PATH]"),
                    HasSubstr("did you mean 'ask.policy.timeout'?"), HasSubstr("did you mean \"simple\"?"),
                    HasSubstr("ask.other.timeout: expected a number of seconds, 0.001 to 60, found the integer 90"),
                    HasSubstr("ask.other.url: expected a URL, found no such key")));
}

TEST(PolicyServices, DoNotTakeATokenThatOthersMayRead) {
  RunningGantry gantry;
  const auto token = gantry.directory() / "token";
  std::ofstream(token) << "secret\n";
  std::filesystem::permissions(token, std::filesystem::perms(0644));
  gantry.configure("[\"simple\"]",
                   "[ask.policy]\nurl = \"http://127.0.0.1:1\"\ntoken_file = \"" + token.string() + "\"\n");
  const auto refused = gantry.start_refused();
  EXPECT_EQ(refused.exit_status, 78);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("ask.policy.token_file: "), HasSubstr("run: chmod o= ")));
}

}  // namespace
}  // namespace gantry::test
