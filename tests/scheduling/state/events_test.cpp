// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "core/scheduling/state/events.hpp"
#include "core/scheduling/state/service_watch.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto uuid = "0d0d0d0d-0000-4000-8000-000000000001";

std::string launch(int vcpus) {
  return R"({"request_spec":{"instance_uuids":[")" + std::string(uuid) + R"("],"instance_type":{"vcpus":)" +
         std::to_string(vcpus) +
         R"(,"memory_mb":64},"instance_properties":{"display_name":"web"}},"admin_password":"hunter2"})";
}

class Events : public ::testing::Test {
 protected:
  json::object told(const std::string& args = R"({"after":"first"})") {
    return manager.result("events", args).as_object();
  }
  std::vector<std::string> types(const std::string& args = R"({"after":"first"})") {
    std::vector<std::string> names;
    const auto answer = told(args);
    for (const auto& event : answer.at("events").as_array()) names.emplace_back(event.at("type").as_string());
    return names;
  }
  json::object last() {
    const auto answer = told();
    return answer.at("events").as_array().back().as_object();
  }
  std::string after(const json::object& answer, const std::string& more = {}) {
    return R"({"after":")" + std::string(answer.at("cursor").as_string()) + '"' + more + "}";
  }
  RunningManager manager{"simple"};
};

TEST_F(Events, TellAnInstancesLifeInItsOrder) {
  manager.add_host("h1", 4);
  manager.result("schedule_run_instance", launch(1));
  EXPECT_EQ(last().at("host").as_string(), "h1");
  manager.result("update_instance", R"({"uuid":")" + std::string(uuid) + R"(","vm_state":"active"})");
  EXPECT_EQ(json::write(last().at("changes").at("vm_state")), R"({"before":"building","after":"active"})");
  manager.result("update_instance", R"({"uuid":")" + std::string(uuid) + R"(","vm_state":"active"})");
  manager.result("update_instance", R"({"uuid":")" + std::string(uuid) + R"(","vm_state":"error","fault":"no disk"})");
  EXPECT_EQ(last().at("fault").as_string(), "no disk");
  manager.result("delete_instance", R"({"instance":"web"})");
  EXPECT_THAT(types(R"({"after":"first","types":["instance"]})"),
              ElementsAre("instance.scheduled", "instance.updated", "instance.error", "instance.deleted"));
  EXPECT_THAT(types(R"({"after":"first","types":"instance.error,instance.deleted"})"),
              ElementsAre("instance.error", "instance.deleted"));
  const auto all = told();
  for (const auto& event : all.at("events").as_array()) {
    EXPECT_TRUE(event.as_object().contains("at"));
    EXPECT_THAT(std::string(event.at("request_id").as_string()), HasSubstr("req-"));
  }
  EXPECT_THAT(json::write(all), Not(HasSubstr("hunter2")));
}

TEST_F(Events, TellThatAnInstanceFoundNoHostAndWhy) {
  manager.add_host("h1", 1);
  manager.result("schedule_run_instance", launch(8));
  EXPECT_EQ(last().at("type").as_string(), "instance.error");
  EXPECT_THAT(std::string(last().at("fault").as_string()), HasSubstr("No valid host"));
}

TEST_F(Events, TellEachChangeOfAServiceByAnOperatorOnce) {
  const std::string service = R"({"topic":"compute","host":"h1"})";
  manager.result("service_register", service);
  manager.result("service_register", service);
  manager.result("report_state", service);
  manager.result("disable_service", R"({"topic":"compute","host":"h1","reason":"new disk"})");
  EXPECT_EQ(last().at("reason").as_string(), "new disk");
  manager.result("disable_service", R"({"topic":"compute","host":"h1","reason":"new disk"})");
  manager.result("enable_service", service);
  manager.result("force_down_service", service);
  EXPECT_TRUE(last().at("forced_down").as_bool());
  manager.result("remove_service", service);
  EXPECT_THAT(types(), ElementsAre("service.registered", "service.disabled", "service.enabled", "service.forced_down",
                                   "service.removed"));
}

TEST_F(Events, TellAnImportAsOne) {
  manager.result("import",
                 R"({"tables":{"services":[{"topic":"compute","host":"a"},{"topic":"compute","host":"b"}]}})");
  EXPECT_THAT(types(), ElementsAre("fleet.imported"));
  EXPECT_EQ(last().at("services").to_number<int>(), 2);
}

TEST_F(Events, BeginNowWithoutACursorAndComeOnceWithOne) {
  manager.result("service_register", R"({"topic":"compute","host":"h1"})");
  auto answer = told("{}");
  EXPECT_TRUE(answer.at("events").as_array().empty());
  manager.result("service_register", R"({"topic":"compute","host":"h2"})");
  manager.result("service_register", R"({"topic":"compute","host":"h3"})");
  answer = told(after(answer, R"(,"limit":1)"));
  EXPECT_EQ(answer.at("events").at(0).at("host").as_string(), "h2");
  EXPECT_EQ(answer.at("cursor"), answer.at("events").at(0).at("id"));
  answer = told(after(answer));
  EXPECT_EQ(answer.at("events").at(0).at("host").as_string(), "h3");
  EXPECT_TRUE(told(after(answer)).at("events").as_array().empty());
  EXPECT_THAT(types(R"({"after":"first","host":"h2"})"), ElementsAre("service.registered"));
}

TEST_F(Events, AnswerAWaitingCallOnlyWithWantedOnes) {
  auto waiting = std::async(
      std::launch::async, [this] { return told(R"({"after":"first","wait_ms":20000,"types":["service.removed"]})"); });
  manager.result("service_register", R"({"topic":"compute","host":"h1"})");
  manager.result("remove_service", R"({"topic":"compute","host":"h1"})");
  EXPECT_EQ(waiting.get().at("events").at(0).at("type").as_string(), "service.removed");
  EXPECT_TRUE(told(R"({"wait_ms":50})").at("events").as_array().empty());
}

TEST_F(Events, ReportARestartOfTheService) {
  manager.result("service_register", R"({"topic":"compute","host":"h1"})");
  const auto before = told();
  EXPECT_FALSE(before.at("restarted").as_bool());
  manager.restart();
  manager.result("service_register", R"({"topic":"compute","host":"h2"})");
  const auto answer = told(after(before));
  EXPECT_TRUE(answer.at("restarted").as_bool());
  EXPECT_EQ(answer.at("events").as_array().size(), 1U) << "all that the new run has told";
  EXPECT_FALSE(told(after(answer)).at("restarted").as_bool());
}

TEST_F(Events, RefuseAWrongCursor) {
  for (const auto* cursor : {"nonsense", "-1", "x-", "first-", "x-1y"}) {
    const auto refused = manager.call("events", R"({"after":")" + std::string(cursor) + R"("})");
    ASSERT_FALSE(refused) << cursor;
    EXPECT_THAT(refused.error().message, HasSubstr("'after'")) << cursor;
  }
  auto ahead = std::string(told().at("cursor").as_string());
  ahead.back() = '7';
  EXPECT_FALSE(manager.call("events", R"({"after":")" + ahead + R"("})"));
  const auto type = manager.call("events", R"({"types":["instance.eror"]})");
  ASSERT_FALSE(type);
  EXPECT_THAT(type.error().message, HasSubstr("did you mean 'instance.error'"));
}

TEST(EventLog, CountsTheEvictedEventsAsMissed) {
  EventLog log(3);
  for (int told = 0; told < 8; ++told) log.tell({{"service.up", "compute", std::to_string(told), {}}}, 1);
  EventLog::Page page;
  log.receive(2, {}, EventLog::Clock::now(), [&page](EventLog::Page got) { page = std::move(got); });
  EXPECT_EQ(page.missed, 3U);
  ASSERT_EQ(page.events.size(), 3U);
  EXPECT_EQ(page.events.front().host, "5");
  EXPECT_EQ(page.seen, 8U);
  EXPECT_EQ(log.before_oldest(), 5U);
}

TEST(EventLog, EvictsTheOldestWhenTheEventsHaveTooManyBytes) {
  constexpr std::size_t most_bytes = 64'000;
  EventLog log(1000, most_bytes);
  for (int told = 0; told < 100; ++told) {
    Event event{"service.up", "compute", std::to_string(told), {}};
    event.more = {{"binary", std::string(900, 'x')}};
    log.tell({event}, 1);
  }
  EventFilter filter;
  filter.limit = 1000;
  const auto page = log.read(0, filter);
  EXPECT_EQ(page.seen, 100U);
  EXPECT_LT(page.events.size(), most_bytes / 900);
  EXPECT_GT(page.events.size(), 40U);
  EXPECT_EQ(page.missed + page.events.size(), 100U);
}

TEST(EventLog, KeepsOfAnEventThatIsTooLargeWhatItIsAbout) {
  EventLog log(10, 64'000);
  Event event{"aggregate.updated", {}, {}, {}};
  event.more = {{"object", "aggregate 1 (a)"}, {"changes", std::string(2000, 'x')}};
  log.tell({event}, 1);
  const auto page = log.read(0, {});
  ASSERT_EQ(page.events.size(), 1U);
  EXPECT_EQ(page.events[0].more.at("object"), "aggregate 1 (a)");
  EXPECT_FALSE(page.events[0].more.contains("changes"));
  EXPECT_GT(page.events[0].more.at("left_out_bytes").to_number<int>(), 2000);
}

TEST(EventLog, AnswersWaitingCallsWhenTheServiceEnds) {
  EventLog log;
  std::promise<std::size_t> answered;
  log.receive(0, {}, EventLog::Clock::now() + std::chrono::hours(1),
              [&answered](const EventLog::Page& page) { answered.set_value(page.events.size()); });
  log.stop_waiting();
  EXPECT_EQ(answered.get_future().get(), 0U);
}

constexpr std::int64_t second = 1'000'000'000;

class Watch : public ::testing::Test {
 protected:
  Watch() { watch.begin(fleet, 1000 * second); }
  void heartbeat(const std::string& host, std::int64_t at) {
    fleet::Service service;
    service.topic = "compute";
    service.host = host;
    service.last_seen_up = at * second;
    fleet.put_service(service);
  }
  std::vector<std::string> gone(std::int64_t at) {
    std::vector<std::string> hosts;
    for (const auto& event : watch.look(fleet, at * second)) hosts.push_back(event.host);
    return hosts;
  }
  fleet::Fleet fleet{{.service_down_time = 60 * second}};
  ServiceWatch watch;
};

TEST_F(Watch, TellsOnceThatAServiceHasGoneDown) {
  heartbeat("h1", 1000);
  heartbeat("h2", 1005);
  EXPECT_THAT(gone(1060), ElementsAre());
  EXPECT_THAT(gone(1061), ElementsAre("h1"));
  EXPECT_THAT(gone(1100), ElementsAre("h2"));
  EXPECT_THAT(gone(1200), ElementsAre());
  EXPECT_TRUE(watch.is_down("compute", "h1"));
}

TEST_F(Watch, TellsAgainThatAServiceWentDownAfterItCameUp) {
  heartbeat("h1", 1000);
  EXPECT_THAT(gone(1061), ElementsAre("h1"));
  heartbeat("h1", 1070);
  EXPECT_TRUE(watch.forget("compute", "h1"));
  EXPECT_FALSE(watch.forget("compute", "h1"));
  EXPECT_THAT(gone(1131), ElementsAre("h1"));
}

TEST_F(Watch, DoesNotTellOfAServiceThatWasDownAtTheStart) {
  heartbeat("h1", 500);
  ServiceWatch later;
  later.begin(fleet, 1000 * second);
  EXPECT_TRUE(later.is_down("compute", "h1"));
  EXPECT_TRUE(later.look(fleet, 1001 * second).empty());
}

}  // namespace
}  // namespace gantry::scheduling
