// SPDX-License-Identifier: Apache-2.0
//
// Who may call what over TCP: every method with no token and with each role's, an agent beside its own host, tokens
// that are gone, and where a token's text must never stand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <fstream>
#include <gantry/client.hpp>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/transport/raw_connection.hpp"

namespace gantry::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// What each role may call with the right arguments, beside an admin.
const std::set<std::string> changes_of_a_service{"update_aggregates",
                                                 "update_instance_info",
                                                 "delete_instance_info",
                                                 "sync_instance_info",
                                                 "acknowledge_cast",
                                                 "create_group",
                                                 "delete_group",
                                                 "delete_instance",
                                                 "receive_casts",
                                                 "release_claims",
                                                 "report_state",
                                                 "schedule",
                                                 "service_register",
                                                 "schedule_run_instance",
                                                 "select_destinations",
                                                 "update_instance",
                                                 "update_resource_stats",
                                                 "update_service_capabilities",
                                                 "nova_select_destinations"};
const std::set<std::string> methods_of_an_agent{
    "acknowledge_cast", "list_instances",        "receive_casts",
    "report_state",     "service_register",      "stats_wanted",
    "update_instance",  "update_resource_stats", "update_service_capabilities"};

std::string own_user() {
  return getpwuid(geteuid())->pw_name;
}

std::string own_group() {
  return getgrgid(getegid())->gr_name;
}

class Access : public ::testing::Test {
 protected:
  void SetUp() override {
    gantry.configure("[\"simple\", \"volume\"]", "server.listen = [\"127.0.0.1:0\"]\n");
    gantry.start();
    find_address();
  }

  // The log says it just after the first answer may be given.
  void find_address() {
    ASSERT_TRUE(eventually([this] { return gantry.log().find(" ready ") != std::string::npos; }));
    const auto log = gantry.log();
    const auto at = log.find("http://127.0.0.1:");
    ASSERT_NE(at, std::string::npos) << log;
    tcp_ = log.substr(at, log.find_first_of(" \n", at) - at);
  }
  // The token's text.
  std::string token(const std::string& role, const std::vector<std::string>& more = {}) {
    const auto file = (gantry.directory() / ("token" + std::to_string(++tokens_))).string();
    std::vector<std::string> words{"token", "create", "--role", role, "--token-out", file, role};
    words.insert(words.end(), more.begin(), more.end());
    const auto ran = gantry.gantry(words);
    EXPECT_EQ(ran.exit_status, 0) << ran.err;
    std::ifstream content(file);
    std::string text;
    std::getline(content, text);
    return text;
  }
  std::string id_of(const std::string& role) {
    for (const auto& each : gantry.list({"token", "list"})) {
      if (each.at("role").as_string() == role) return std::string(each.at("id").as_string());
    }
    return {};
  }

  client::client caller(const std::string& token) const {
    client::connection_options options;
    options.target = tcp_;
    options.token = token;
    options.timeout_ms = 20'000;
    return client::client(options);
  }
  // The code of the failure, or "".
  std::string code(const std::string& token, const std::string& method, const std::string& args = "{}") const {
    return caller(token).call(method, args).failure().code;
  }

  std::string code_at_socket(const std::string& method, const std::string& args) const {
    return client::client(gantry.url()).call(method, args).failure().code;
  }

  // Every method, and whether it reads.
  std::map<std::string, bool> methods() {
    std::map<std::string, bool> found;
    const auto document = gantry.ask({"api"});
    for (const auto& [path, item] : document.at("paths").as_object()) {
      const std::string_view name(path);
      if (name.starts_with("/v1/")) found.emplace(name.substr(4), item.as_object().contains("get"));
    }
    EXPECT_GT(found.size(), 40U);
    return found;
  }
  // Those that the role is not told that it may not call.
  std::set<std::string> allowed(const std::string& token) {
    std::set<std::string> found;
    auto client = caller(token);
    for (const auto& [name, reads] : methods()) {
      const auto reply = client.call(name, R"({"no_such_argument":1})");
      EXPECT_FALSE(reply) << name;
      EXPECT_NE(reply.failure().code, "unauthenticated") << name;
      if (reply.failure().message.find("may not call") == std::string::npos) found.insert(name);
    }
    return found;
  }

  RunningGantry gantry;
  std::string tcp_;
  int tokens_ = 0;
};

TEST_F(Access, EveryMethodIsRefusedWithoutAToken) {
  for (const auto& [name, reads] : methods()) EXPECT_EQ(code("", name), "unauthenticated") << name;
}

TEST_F(Access, EveryMethodIsRefusedWithAnUnknownToken) {
  for (const auto& [name, reads] : methods()) EXPECT_EQ(code("gantry_00", name), "unauthenticated") << name;
}

TEST_F(Access, AnAdminMayCallEverything) {
  EXPECT_EQ(allowed(token("admin")).size(), methods().size());
}

TEST_F(Access, AReaderMayCallWhatReadsAndAskForADecisionThatChangesNothing) {
  std::set<std::string> expected{"select_destinations"};
  for (const auto& [name, reads] : methods()) {
    if (reads && name != "list_tokens") expected.insert(name);
  }
  const auto reader = token("reader");
  EXPECT_EQ(allowed(reader), expected);
  const std::string spec = R"({"request_spec":{"num_instances":1})";
  EXPECT_EQ(code(reader, "select_destinations", spec + R"(,"dry_run":true})"), "no_valid_host");
  EXPECT_EQ(code(reader, "select_destinations", spec + "}"), "permission_denied");
  EXPECT_EQ(code(reader, "select_destinations", spec + R"(,"dry_run":"true"})"), "permission_denied");
}

TEST_F(Access, AServiceMayScheduleAndRead) {
  std::set<std::string> expected = changes_of_a_service;
  for (const auto& [name, reads] : methods()) {
    if (reads && name != "list_tokens") expected.insert(name);
  }
  EXPECT_EQ(allowed(token("service", {"--topic", "volume"})), expected);
}

TEST_F(Access, ARotatedTokenGivesItsScopeToTheNewOne) {
  const auto old = token("agent", {"--host", "c1"});
  const auto file = (gantry.directory() / "rotated").string();
  std::ofstream(file) << "replaced\n";
  const auto rotated = gantry.gantry({"token", "rotate", id_of("agent"), "--overlap", "0", "--token-out", file});
  ASSERT_EQ(rotated.exit_status, 0) << rotated.err;
  std::string made;
  std::ifstream(file) >> made;
  EXPECT_EQ(code(old, "stats_wanted", R"({"topic":"compute"})"), "unauthenticated");
  EXPECT_EQ(code(made, "stats_wanted", R"({"topic":"compute"})"), "");
  EXPECT_EQ(code(made, "report_state", R"({"topic":"compute","host":"c2"})"), "permission_denied");
}

TEST_F(Access, ARotatedTokenHoldsForTheOverlap) {
  const auto old = token("reader");
  ASSERT_EQ(gantry.gantry({"token", "rotate", id_of("reader"), "--overlap", "1h"}).exit_status, 0);
  EXPECT_EQ(code(old, "status"), "");
  EXPECT_EQ(gantry.list({"token", "list"}).size(), 2U);
}

TEST_F(Access, AnAgentTakesTheNewTokenThatIsPutIntoItsFile) {
  const auto file = gantry.directory() / "agent.token";
  const auto write = [&](const std::string& text) {
    std::ofstream(file.string() + ".new") << text << "\n";
    std::filesystem::permissions(file.string() + ".new", std::filesystem::perms(0600));
    std::filesystem::rename(file.string() + ".new", file);
  };
  write(token("agent", {"--host", "c1"}));
  const auto log = (gantry.directory() / "agent.log").string();
  const Background agent({std::string(GANTRY_BIN_DIRECTORY) + "/gantry", "--url", tcp_, "agent", "--host", "c1",
                          "--report-interval", "1", "--state-dir", (gantry.directory() / "agent").string()},
                         log, {"GANTRY_TOKEN_FILE=" + file.string()});
  ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 1; }));
  ASSERT_EQ(gantry.gantry({"token", "revoke", id_of("agent")}).exit_status, 0);
  ASSERT_TRUE(eventually([&] {
    std::ifstream lines(log);
    return std::string(std::istreambuf_iterator<char>(lines), {}).find("revoked") != std::string::npos;
  }));
  write(token("agent", {"--host", "c1"}));
  EXPECT_EQ(gantry.gantry({"server", "create", "--vcpus", "1", "--memory-mb", "1", "web"}).exit_status, 0)
      << "the server becomes active once the agent has received its message";
}

class SocketRoles : public Access {
 protected:
  void SetUp() override {}
  void serve(const std::string& roles) { gantry.configure("\"simple\"", "server.socket_roles = [" + roles + "]\n"); }
};

TEST_F(SocketRoles, HoldAUserOfTheMachineToARole) {
  serve("\"user:" + own_user() + "=reader\"");
  gantry.start();
  EXPECT_EQ(gantry.gantry({"status"}).exit_status, 0);
  const auto refused = gantry.gantry({"aggregate", "create", "rack1"});
  EXPECT_NE(refused.exit_status, 0);
  EXPECT_THAT(refused.err, HasSubstr("('server.socket_roles', role reader): may not call create_aggregate"));
}

TEST_F(SocketRoles, HoldTheMembersOfAGroupToARole) {
  serve("\"group:" + own_group() + "=service/volume\"");
  gantry.start();
  EXPECT_EQ(code_at_socket("report_state", R"({"topic":"compute","host":"h1"})"), "permission_denied");
  EXPECT_EQ(code_at_socket("service_register", R"({"topic":"volume","host":"h1","binary":"b"})"), "");
}

TEST_F(SocketRoles, LeaveTheDaemonsOwnUserAnAdmin) {
  serve("\"user:nobody=reader\"");
  gantry.start();
  EXPECT_EQ(gantry.gantry({"aggregate", "create", "rack1"}).exit_status, 0);
}

TEST_F(SocketRoles, NamingAnUnknownUserOrRoleAreRefusedAtTheStart) {
  serve("\"user:no-such-user=reader\"");
  EXPECT_THAT(gantry.start_refused().err, HasSubstr("expected a user of this system, found 'no-such-user'"));
  serve("\"user:nobody=king\"");
  EXPECT_THAT(gantry.start_refused().err, HasSubstr("found no such role in \"user:nobody=king\""));
}

// "Expect: 100-continue" makes the daemon say whether it would read the body, which is never sent.
TEST_F(Access, EachMethodThatARoleMayNotCallIsRefusedBeforeItsBodyIsRead) {
  const auto port = std::stoi(tcp_.substr(tcp_.rfind(':') + 1));
  const auto status = [&](const std::string& method, const std::string& token) {
    auto connection = gantry::testing::RawConnection::to_port(port);
    connection.send("POST /v1/" + method + " HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer " + token +
                    "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n");
    return connection.answer().value_or(gantry::testing::RawAnswer{}).status;
  };
  std::set<std::string> reads{"select_destinations"};
  std::set<std::string> of_a_service = changes_of_a_service;
  std::set<std::string> all;
  for (const auto& [name, is_read] : methods()) {
    all.insert(name);
    if (is_read && name != "list_tokens") reads.insert(name);
  }
  of_a_service.insert(reads.begin(), reads.end());
  const std::vector<std::pair<std::string, std::set<std::string>>> roles{
      {token("reader"), reads},
      {token("service", {"--topic", "compute"}), of_a_service},
      {token("agent", {"--host", "h1"}), methods_of_an_agent},
      {token("admin"), all}};
  for (const auto& [text, may_call] : roles) {
    for (const auto& name : all)
      EXPECT_EQ(status(name, text), may_call.contains(name) ? 100 : 403) << name << " by " << text.substr(0, 12);
  }
}

TEST_F(Access, AServiceSpeaksForItsOwnTopicsAlone) {
  const auto cinder = token("service", {"--topic", "volume"});
  EXPECT_EQ(code(cinder, "service_register", R"({"topic":"volume","host":"s1"})"), "");
  EXPECT_EQ(code(cinder, "service_register", R"({"topic":"compute","host":"s1"})"), "permission_denied");
  EXPECT_EQ(code(cinder, "schedule", R"({"topic":"compute","schedule_method":"x","kwargs":{}})"), "permission_denied");
  EXPECT_NE(code(cinder, "schedule", R"({"topic":"volume","schedule_method":"x","kwargs":{}})"), "permission_denied");
  EXPECT_EQ(code(cinder, "update_resource_stats", R"({"name":"s1","stats":{}})"), "permission_denied");
  EXPECT_EQ(code(cinder, "update_resource_stats", R"({"name":"s1","stats":{},"topic":"volume"})"), "");
  EXPECT_EQ(code(cinder, "update_service_capabilities", R"({"service_name":"compute","host":"s1","capabilities":{}})"),
            "permission_denied");
  EXPECT_EQ(code(cinder, "receive_casts", R"({"topic":"compute","host":"s1"})"), "permission_denied");
  const std::string boot = R"({"request_spec":{"num_instances":1}})";
  EXPECT_EQ(code(cinder, "select_destinations", boot), "permission_denied");
  EXPECT_EQ(code(cinder, "schedule_run_instance", boot), "permission_denied");
  EXPECT_EQ(code(cinder, "select_destinations", R"({"request_spec":{"num_instances":1},"dry_run":true})"),
            "no_valid_host");
  EXPECT_EQ(code(token("service"), "select_destinations", boot), "no_valid_host") << "a service without topics";
}

TEST_F(Access, AnAgentMayCallWhatAgentsCall) {
  EXPECT_EQ(allowed(token("agent", {"--host", "h1"})), methods_of_an_agent);
}

TEST_F(Access, AnAgentSpeaksForItsOwnHostAlone) {
  for (const std::string host : {"h1", "h2"}) {
    client::client trusted(gantry.url());
    ASSERT_TRUE(trusted.service_register("compute", host, "nova-compute"));
  }
  const auto agent = token("agent", {"--host", "h1"});
  const std::map<std::string, std::string> calls{
      {"service_register", R"({"topic":"compute","host":"%"})"},
      {"report_state", R"({"topic":"compute","host":"%"})"},
      {"update_resource_stats", R"({"name":"%","stats":{"vcpus":4}})"},
      {"update_service_capabilities", R"({"service_name":"compute","host":"%","capabilities":{}})"},
      {"receive_casts", R"({"topic":"compute","host":"%"})"},
      {"list_instances", R"({"host":"%"})"}};
  for (const auto& [method, form] : calls) {
    const auto with = [&form = form](const std::string& host) {
      std::string args = form;
      return args.replace(args.find('%'), 1, host);
    };
    EXPECT_EQ(code(agent, method, with("h1")), "") << method;
    EXPECT_EQ(code(agent, method, with("h2")), "permission_denied") << method;
  }
  EXPECT_EQ(code(agent, "update_resource_stats", R"({"name":["h1","n"],"stats":{}})"), "");
  EXPECT_EQ(code(agent, "update_resource_stats", R"({"name":["h2","h1"],"stats":{}})"), "permission_denied");
  EXPECT_EQ(code(agent, "receive_casts", R"({"topic":"compute","hosts":["h1","h2"]})"), "permission_denied");
  EXPECT_EQ(code(agent, "receive_casts", R"({"topic":"compute","host":"h1","hosts":["h2"]})"), "permission_denied");
  EXPECT_EQ(code(agent, "list_instances"), "permission_denied");
  EXPECT_EQ(code(agent, "list_instances", R"({"name":"h1"})"), "permission_denied") << "an instance's name is no host";
  EXPECT_EQ(code(agent, "list_instances", R"({"host":"h1","name":"web-1"})"), "");
}

TEST_F(Access, AnAgentChangesAndAcknowledgesWhatItsHostWasGivenAlone) {
  const auto own = token("agent", {"--host", "h1"});
  const auto other = token("agent", {"--host", "h2"});
  ASSERT_EQ(code(own, "service_register", R"({"topic":"compute","host":"h1"})"), "");
  ASSERT_EQ(code(own, "update_resource_stats",
                 R"({"name":"h1","stats":{"vcpus":4,"memory_mb":4096,"local_gb":40,"vcpus_used":0,"memory_mb_used":0,)"
                 R"("local_gb_used":0}})"),
            "");
  const auto nova = token("service");
  const auto placed = caller(nova).call(
      "schedule_run_instance",
      R"({"request_spec":{"num_instances":1,"instance_type":{"vcpus":1,"memory_mb":512,"root_gb":1}}})");
  ASSERT_TRUE(placed) << placed.failure().message;
  const auto instance = json::parse(placed.json())->at("instances").at(0).at("uuid").as_string();
  const std::string active = R"({"uuid":")" + std::string(instance) + R"(","vm_state":"active"})";
  EXPECT_EQ(code(other, "update_instance", active), "permission_denied");
  EXPECT_EQ(code(own, "update_instance", active), "");
  EXPECT_EQ(code(own, "update_instance", R"({"uuid":")" + std::string(instance) + R"(","host":"h2"})"),
            "permission_denied");
  const auto received = caller(own).call("receive_casts", R"({"topic":"compute","host":"h1"})");
  ASSERT_TRUE(received);
  const std::string cast(json::parse(received.json())->at(0).at("id").as_string());
  EXPECT_EQ(code(other, "acknowledge_cast", R"({"id":")" + cast + "\"}"), "permission_denied");
  EXPECT_EQ(gantry.list({"cast", "list"}).size(), 1U);
  EXPECT_EQ(code(own, "acknowledge_cast", R"({"id":")" + cast + "\"}"), "");
  EXPECT_EQ(code(own, "acknowledge_cast", R"({"id":")" + cast + "\"}"), "") << "a repeat";
}

TEST_F(Access, ARevokedTokenIsRefusedAtOnceAndAfterARestart) {
  const auto reader = token("reader");
  auto client = caller(reader);
  ASSERT_TRUE(client.call("status"));
  ASSERT_EQ(gantry.gantry({"token", "revoke", id_of("reader")}).exit_status, 0);
  EXPECT_EQ(client.call("status").failure().code, "unauthenticated");
  EXPECT_THAT(gantry.list({"token", "list"}), ::testing::IsEmpty());
}

TEST_F(Access, ARevokedTokenGetsNoCastThatItWaitsFor) {
  const auto agent = token("agent", {"--host", "h1"});
  client::reply reply = caller("").call("status");
  std::thread waiting(
      [&] { reply = caller(agent).call("receive_casts", R"({"topic":"compute","host":"h1","wait_ms":2500})"); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(gantry.gantry({"token", "revoke", id_of("agent")}).exit_status, 0);
  waiting.join();
  EXPECT_EQ(reply.failure().code, "unauthenticated");
}

TEST_F(Access, ALongPollEndsWithItsToken) {
  const auto brief = token("agent", {"--host", "h1", "--expires-in", "2"});
  EXPECT_EQ(code(brief, "receive_casts", R"({"topic":"compute","host":"h1","wait_ms":15000})"), "unauthenticated")
      << "it waited on";
}

TEST_F(Access, ATokenEndsWhenItsTimeIsOver) {
  const auto brief = token("reader", {"--expires-in", "1"});
  EXPECT_TRUE(eventually([&] { return code(brief, "status") == "unauthenticated"; }));
  EXPECT_TRUE(gantry.list({"token", "list"}).at(0).at("expired").as_bool());
}

TEST_F(Access, TokensHoldAfterAKill) {
  const auto reader = token("reader");
  gantry.kill();
  std::filesystem::remove(gantry.directory() / "gantryd.log");
  gantry.start();
  find_address();
  EXPECT_EQ(code(reader, "status"), "");
}

TEST_F(Access, AKeyOfAnotherClientsCallGivesNoAnswer) {
  const auto first = token("service");
  const auto second = token("service");
  client::call_options options;
  options.idempotency_key = "guessed";
  const std::string group = R"({"name":"g","policy":"affinity"})";
  const auto made = caller(first).call("create_group", group, options);
  ASSERT_TRUE(made) << made.failure().message;
  EXPECT_EQ(caller(first).call("create_group", group, options).json(), made.json());
  const auto other = caller(second).call("create_group", group, options);
  EXPECT_NE(other.json(), made.json());
}

TEST_F(Access, ATokenStandsNeitherInTheStoreNorInTheLog) {
  const auto secret = token("admin");
  ASSERT_EQ(code(secret, "status"), "");
  EXPECT_EQ(code(secret + "x", "status"), "unauthenticated");
  const auto digits = secret.substr(secret.find('_') + 1);
  ASSERT_EQ(digits.size(), 64U);
  for (const auto& entry : std::filesystem::directory_iterator(gantry.directory())) {
    if (!entry.is_regular_file() || entry.path().filename().string().starts_with("token")) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(content, Not(HasSubstr(digits))) << entry.path();
  }
}

TEST_F(Access, ATokenFileIsReadableByItsMakerAlone) {
  token("reader");
  const auto mode = std::filesystem::status(gantry.directory() / "token1").permissions();
  EXPECT_EQ(mode, std::filesystem::perms(0600));
  const auto again = gantry.gantry(
      {"token", "create", "--role", "reader", "--token-out", (gantry.directory() / "token1").string(), "again"});
  EXPECT_NE(again.exit_status, 0);
  EXPECT_THAT(again.err, HasSubstr("File exists"));
  EXPECT_EQ(gantry.list({"token", "list"}).size(), 1U);
}

}  // namespace
}  // namespace gantry::test
