// SPDX-License-Identifier: Apache-2.0
//
// An operator's view of a Gantry in the place of nova-scheduler.
#include <fstream>

#include "tests/end_to_end/site_driver.hpp"
#include "tests/nova/serve/served_nova.hpp"
#include "tests/support/answer_schema.hpp"

namespace gantry::nova {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct IsOperated : ServedNova {};

std::int64_t number_of(const std::string& sql) {
  auto connection = Connection::open(*parse_database_url(MariaDb::server().url("nova_cell1")), {});
  std::int64_t number = -1;
  EXPECT_TRUE(connection->query(sql, [&](Row row) { number = std::get<std::int64_t>(row[0]); }));
  return number;
}

TEST_F(IsOperated, ShowsItsOwnServiceUp) {
  serve();
  EXPECT_TRUE(test::eventually([] {
    return number_of(
               "SELECT COUNT(*) FROM services WHERE host = 'controller' AND `binary` = 'nova-scheduler' AND "
               "topic = 'scheduler' AND version = 64 AND last_seen_up >= UTC_TIMESTAMP() - INTERVAL 20 SECOND "
               "AND report_count > 0") == 1;
  }));
  const auto status = answer("status");
  EXPECT_EQ(status.at("nova").at("host"), "controller");
  EXPECT_EQ(status.at("nova").at("rpc").at("trouble"), "");
  EXPECT_EQ(status.at("topics").at("compute").at("hosts"), 3);
  EXPECT_THAT(status.at("unready_reasons").as_array(), IsEmpty());
  EXPECT_THAT(gantry.gantry({"status"}).out, HasSubstr("compute"));
}

std::int64_t report_count() {
  return number_of("SELECT COALESCE(MAX(report_count), 0) FROM services WHERE host = 'controller'");
}

// As a server ends connections when it restarts, or that were idle.
void end_connections_of_nova() {
  auto connection = Connection::open(*parse_database_url(MariaDb::server().url("mysql")), {}, Access::writes);
  std::vector<std::int64_t> ids;
  EXPECT_TRUE(connection->query("SELECT id FROM information_schema.processlist WHERE user = 'nova'",
                                [&ids](Row row) { ids.push_back(std::get<std::int64_t>(row[0])); }));
  EXPECT_FALSE(ids.empty());
  for (const auto id : ids) static_cast<void>(connection->query("KILL CONNECTION " + std::to_string(id)));
}

TEST_F(IsOperated, ReportsItselfOverANewConnectionWhereTheServerHasEndedTheOldOne) {
  serve();
  ASSERT_TRUE(test::eventually([] { return report_count() > 0; }));
  end_connections_of_nova();
  const auto before = report_count();
  EXPECT_TRUE(test::eventually([before] { return report_count() > before + 1; }));
  EXPECT_THAT(gantry.log(), Not(HasSubstr("cannot report to Nova")));
}

TEST_F(IsOperated, RefusesMethodsThatWouldChangeNovasFacts) {
  serve();
  const std::string reason = "hosts of topic compute come from Nova's databases";
  for (const auto& [method, args] :
       std::vector<std::pair<std::string, std::string>>{{"create_aggregate", R"({"name":"ssd"})"},
                                                        {"service_register", R"({"topic":"compute","host":"h9"})"},
                                                        {"disable_service", R"({"topic":"compute","host":"h1"})"}}) {
    const auto reply = ask(method, args);
    EXPECT_FALSE(reply) << method;
    EXPECT_EQ(reply.failure().code, "failed_precondition") << method << reply.failure().message;
    EXPECT_THAT(reply.failure().message, HasSubstr(reason));
  }
}

TEST_F(IsOperated, HandsTheWorkBackWhileItIsPausedAlsoAfterARestart) {
  serve();
  EXPECT_THAT(gantry.gantry({"nova", "pause"}).out, HasSubstr("paused: nobody else takes the requests; they wait"));
  auto call = begin(request_for({next_uuid()}));
  const auto is_waiting = [&call] { return call.wait_for(std::chrono::seconds(2)) == std::future_status::timeout; };
  EXPECT_TRUE(is_waiting());
  EXPECT_THAT(json::write(answer("status").at("warnings")), HasSubstr("gantry nova resume"));
  gantry.kill();
  gantry.start();
  EXPECT_TRUE(is_waiting());
  EXPECT_EQ(answer("status").at("nova").at("rpc").at("paused"), true);
  EXPECT_THAT(gantry.gantry({"nova", "resume"}).out, HasSubstr("taken again"));
  ASSERT_EQ(call.wait_for(std::chrono::seconds(60)), std::future_status::ready);
  EXPECT_THAT(hosts_of(call.get()), ElementsAre("h1"));
  EXPECT_THAT(answer("status").at("warnings").as_array(), IsEmpty());
}

TEST_F(IsOperated, TellsWhyAnInstanceIsWhereItIs) {
  serve();
  const auto uuid = next_uuid();
  ASSERT_THAT(hosts_of(select({uuid})), ElementsAre("h1"));
  const auto record = answer("recent_decision", R"({"instance_uuid":")" + uuid + R"("})");
  EXPECT_EQ(record.at("outcome"), "placed");
  EXPECT_EQ(record.at("attempts"), 1);
  EXPECT_EQ(record.at("candidates").at("claimable"), 3);
  EXPECT_EQ(record.at("claims").at(0).at("outcome"), "held");
  EXPECT_EQ(record.at("claims").at(0).at("provider"), json::value(uuid_of_host("h1")));
  EXPECT_THAT(json::write(record.at("steps")), HasSubstr("ComputeFilter"));
  EXPECT_THAT(support::invented_in("recent_decision", record), IsEmpty()) << json::write(record);
  EXPECT_EQ(ask("recent_decision", R"({"instance_uuid":"nobody"})").failure().code, "not_found");
  const auto told = gantry.gantry({"nova", "why", uuid}).out;
  EXPECT_THAT(told, AllOf(HasSubstr("instance     " + uuid), HasSubstr("destination  h1\n"),
                          ContainsRegex("ComputeFilter +3 +3 +-\n"), ContainsRegex("h1 +held +" + uuid)));
}

TEST_F(IsOperated, TellsWhyAnInstanceHasNoHost) {
  serve();
  const auto uuid = next_uuid();
  select({uuid}, {{"flavor", flavor(9)}});
  const auto record = answer("recent_decision", R"({"instance_uuid":")" + uuid + R"("})");
  EXPECT_THAT(support::invented_in("recent_decision", record), IsEmpty()) << json::write(record);
  const std::string reason = "placement has no candidates for ";
  EXPECT_THAT(gantry.gantry({"nova", "why", uuid}).out,
              AllOf(HasSubstr("outcome      no_valid_host\n"), HasSubstr(reason), HasSubstr("destination  none\n")));
  EXPECT_THAT(gantry.gantry({"decision", "list", "--outcome", "no_valid_host"}).out, HasSubstr(reason));
  in_cell("UPDATE services SET disabled = 1");
  select({uuid});
  EXPECT_THAT(gantry.gantry({"nova", "why", uuid}).out, ContainsRegex("ComputeFilter +3 +0 +[a-z]"));
}

TEST_F(IsOperated, KeepsEachDecisionAndTellsWhyNotThatHost) {
  serve();
  const auto uuid = next_uuid();
  ASSERT_THAT(hosts_of(select({uuid})), ElementsAre("h1"));
  const auto shown = answer("show_decision", R"({"instance_uuid":")" + uuid + R"("})");
  EXPECT_EQ(shown.at("outcome"), "placed");
  EXPECT_EQ(shown.at("facts").at("known"), true) << json::write(shown.at("facts"));
  EXPECT_EQ(shown.at("authority").at("claims").at(0).at("outcome"), "held");
  const auto other = answer("why_not", R"({"host":"h2","instance_uuid":")" + uuid + R"("})");
  EXPECT_EQ(other.at("outcome"), "passed") << json::write(other);
  const auto large = next_uuid();
  select({large}, {{"flavor", flavor(9)}});
  const auto refused = answer("show_decision", R"({"instance_uuid":")" + large + R"("})");
  EXPECT_EQ(refused.at("outcome"), "no_valid_host");
  EXPECT_THAT(std::string(refused.at("reason").as_string()), Not(IsEmpty()));
}

TEST_F(IsOperated, KeepsTokensAndPasswordsToItself) {
  serve("candidates_reuse = 50\n[log]\nlevel = \"debug\"\n");
  const auto uuid = next_uuid();
  select({next_uuid()});
  RealParts::all().placement.pause();
  auto call = begin(request_for({uuid}));
  await_journal("\"claimed\"");
  const auto kept = journal();
  RealParts::all().placement.go_on();
  EXPECT_THAT(hosts_of(call.get()), ElementsAre("h1"));
  select({next_uuid()}, {{"flavor", flavor(9)}});
  const auto record = json::write(answer("recent_decision", R"({"instance_uuid":")" + uuid + R"("})"));
  const auto decision = json::write(answer("show_decision", R"({"instance_uuid":")" + uuid + R"("})"));
  const auto shown = gantry.gantry({"config", "show", "--config", gantry.config_file()}).out;
  for (const auto& text : {kept, gantry.log(), record, decision, shown, json::write(answer("status"))}) {
    EXPECT_THAT(text, Not(HasSubstr("hushed")));
    EXPECT_THAT(text, Not(HasSubstr("p@ss:word")));
    EXPECT_THAT(text, Not(HasSubstr("p%40ss")));
  }
}

TEST_F(IsOperated, AnswersACallerWhoseDriverHangsAndNamesTheCall) {
  const auto hang_file = (gantry.directory() / "hang").string();
  test::build({.id = "stuck", .begin = "while (access(\"" + hang_file + "\", F_OK) == 0) usleep(2000);"}, gantry);
  serve("", "stuck");
  const auto uuid = next_uuid();
  EXPECT_THAT(hosts_of(select({next_uuid()})), ElementsAre(HasSubstr("h")));
  std::ofstream(hang_file) << "";
  auto request = request_for({uuid});
  request["timeout"] = 10;
  request["monitor"] = nullptr;
  EXPECT_THAT(hosts_of(call(std::move(request))),
              ElementsAre(HasSubstr("the scheduler has not decided by the deadline")));
  EXPECT_TRUE(test::eventually([this] {
    const auto calls = answer("status").at("hanging_calls").as_array();
    return !calls.empty() && calls[0].at("driver") == "stuck";
  }));
  EXPECT_THAT(held(uuid), IsEmpty());
  std::filesystem::remove(hang_file);
  EXPECT_THAT(hosts_of(select({uuid})), ElementsAre(HasSubstr("h")));
}

TEST_F(IsOperated, NeedsNovasLibrariesOnlyForNova) {
  const auto libraries_of = [](const std::string& program) {
    return test::run_program({"ldd", std::string(GANTRY_BIN_DIRECTORY) + "/" + program}).out;
  };
  EXPECT_THAT(libraries_of("gantryd-nova"), HasSubstr("librabbitmq"));
  const auto plain = libraries_of("gantryd");
  EXPECT_THAT(plain, HasSubstr("libc.so"));
  EXPECT_THAT(plain, Not(HasSubstr("librabbitmq")));
  EXPECT_THAT(plain, Not(HasSubstr("libmariadb")));
}

}  // namespace
}  // namespace gantry::nova
