// SPDX-License-Identifier: Apache-2.0
//
// A driver whose calls do not return: its callers are answered, everything else is served as before, and what hangs is
// named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <fstream>
#include <iostream>
#include <tuple>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/end_to_end/site_driver.hpp"
#include "tests/transport/raw_connection.hpp"

namespace gantry::test {
namespace {

using gantry::testing::get;
using gantry::testing::post;
using gantry::testing::RawAnswer;
using gantry::testing::RawConnection;
using std::chrono::milliseconds;
using ::testing::AnyOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Clock = std::chrono::steady_clock;

std::string number(int value) {
  const auto text = std::to_string(value);
  return std::string(12 - text.size(), '0') + text;
}
std::string request_id(int value) {
  return "req-11111111-1111-4111-8111-" + number(value);
}

// A compute driver that hangs while a file is there, beside the volume driver, which works.
class HangingDriver : public ::testing::Test {
 protected:
  void serve(const std::string& threads, int workers, const std::string& keys = {}) {
    build({.id = "stuck",
           .threads = threads,
           .begin = "while (access(\"" + hang_file() + "\", F_OK) == 0) usleep(2000);"},
          gantry);
    gantry.configure("[\"stuck\", \"volume\"]", "scheduling.call_timeout = " + std::to_string(call_timeout.count()) +
                                                    "\nserver.workers = " + std::to_string(workers) + "\n" + keys);
    gantry.start();
    EXPECT_EQ(
        ask(post("service_register", R"({"args":{"topic":"compute","host":"h1","binary":"nova-compute"}})")).status,
        200);
    EXPECT_EQ(ask(post("update_resource_stats",
                       R"({"args":{"name":"h1","stats":{"vcpus":64,"memory_mb":65536,"local_gb":999}}})"))
                  .status,
              200);
    std::ofstream(hang_file()) << "";
  }

  static constexpr std::chrono::seconds call_timeout{2};

  std::string hang_file() const { return (gantry.directory() / "hang").string(); }
  void release() { std::filesystem::remove(hang_file()); }

  RawConnection connect() const { return RawConnection(gantry.socket_path()); }
  RawAnswer ask(const std::string& request) const {
    auto connection = connect();
    connection.send(request);
    return connection.answer().value_or(RawAnswer{});
  }
  static std::string error_in(const RawAnswer& answer, std::string_view member) {
    const auto body = json::parse_object(answer.body);
    if (!body || json::find_object(*body, "error") == nullptr) return answer.body;
    return std::string(json::find_string(*json::find_object(*body, "error"), member).value_or(""));
  }

  // A request for one instance. `padding` makes it as large as that.
  static std::string request(const std::string& method, int index, std::size_t padding = 0) {
    const std::string uuid = "22222222-2222-4222-8222-" + number(index);
    return post(method,
                R"({"args":{"request_spec":{"num_instances":1,"instance_uuids":[")" + uuid +
                    R"("],"flavor":{"name":"m1","vcpus":1,"memory_mb":512,"root_gb":1,"ephemeral_gb":0},)" +
                    R"("instance_properties":{"padding":")" + std::string(padding, 'x') + R"("}}}})",
                "X-Request-Id: " + request_id(index) + "\r\n");
  }

  struct Served {
    milliseconds longest{0};  // that one of the others took
    int rounds = 0;           // in which each of the others was answered
  };
  // Asks for other things one by one, in rounds, until then. As agents do, on a connection that is kept.
  static Served ask_for_others(RawConnection& connection, Clock::time_point until) {
    const std::array others{
        post("report_state", R"({"args":{"topic":"compute","host":"h1"}})"),
        get("/v1/status"),
        get("/v1/hosts_up?topic=volume"),
        post("schedule", R"({"args":{"topic":"volume","schedule_method":"create_volume","kwargs":{"size":1}}})"),
        post("update_service_capabilities", R"({"args":{"service_name":"compute","host":"h1","capabilities":{}}})"),
        get("/readyz")};
    Served served;
    for (; Clock::now() < until; ++served.rounds) {
      for (const auto& other : others) {
        const auto begun = Clock::now();
        connection.send(other);
        EXPECT_THAT(connection.answer().value_or(RawAnswer{}).status, AnyOf(200, 409, 503)) << other;
        served.longest = std::max(served.longest, std::chrono::duration_cast<milliseconds>(Clock::now() - begun));
      }
    }
    return served;
  }

  json::object status() const {
    const auto body = json::parse_object(ask(get("/v1/status")).body);
    return body ? *json::find_object(*body, "result") : json::object{};
  }
  json::array hanging() const { return *json::find_array(status(), "hanging_calls"); }

  RunningGantry gantry;
};

using Case = std::tuple<int, std::string, std::string, std::size_t>;

class AnyHangingDriver : public HangingDriver, public ::testing::WithParamInterface<Case> {};

TEST_P(AnyHangingDriver, IsAnswered504AndNamedAndEverythingElseIsServedPromptly) {
  const auto& [workers, threads, method, padding] = GetParam();
  const std::size_t places = threads == "serial" ? 1 : 4;
  serve(threads, workers);
  auto kept = connect();
  kept.send(get("/v1/status"));
  ASSERT_TRUE(kept.answer());
  std::vector<RawConnection> callers;
  for (int i = 0; i < 12; ++i) {
    callers.push_back(connect());
    callers.back().send(request(method, i, padding));
  }
  const auto deadline = Clock::now() + call_timeout;
  const auto before = ask_for_others(kept, deadline);
  EXPECT_GE(before.rounds, 1) << "served before any call is given up";
  const auto after = ask_for_others(kept, deadline + std::chrono::seconds(1));
  const auto longest = std::max(before.longest, after.longest);
  EXPECT_LT(longest, std::chrono::seconds(5));
  RecordProperty("slowest_milliseconds", std::to_string(longest.count()));
  std::cout << "slowest answer beside the driver: " << longest.count() << " ms\n";

  for (auto& caller : callers) {
    const auto answer = caller.answer().value_or(RawAnswer{});
    EXPECT_THAT(answer.status, AnyOf(504, 503)) << answer.body;
    EXPECT_THAT(error_in(answer, "message"), HasSubstr("driver 'stuck'"));
  }
  const auto refused = ask(request(method, 99, padding));
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(error_in(refused, "message"), ::testing::AllOf(HasSubstr("driver 'stuck'"), HasSubstr("do not return")));

  const auto calls = hanging();
  ASSERT_THAT(calls, SizeIs(places));
  EXPECT_EQ(json::find_string(calls[0].as_object(), "driver"), "stuck");
  EXPECT_EQ(json::find_string(calls[0].as_object(), "operation"), method);
  EXPECT_THAT(std::string(json::find_string(calls[0].as_object(), "request_id").value_or("")), HasSubstr("req-1111"));
  EXPECT_GE(json::find_integer(calls[0].as_object(), "seconds").value_or(-1), 1);
  const auto ready = ask(get("/readyz"));
  EXPECT_EQ(ready.status, 503);
  EXPECT_THAT(ready.body, ::testing::AllOf(HasSubstr("not ready"), HasSubstr("driver 'stuck'"), HasSubstr(method)));
  const auto shown = gantry.gantry({"status"});
  EXPECT_THAT(shown.out, ::testing::AllOf(HasSubstr("HANGS IN DRIVER"), HasSubstr("stuck"), HasSubstr("req-1111")));
  EXPECT_THAT(shown.err, HasSubstr("not ready"));
  EXPECT_THAT(gantry.log(), ::testing::AllOf(HasSubstr("has not returned by its deadline"), HasSubstr("driver=stuck"),
                                             HasSubstr("operation=" + method), HasSubstr("request_id=req-1111")));

  release();
  EXPECT_TRUE(eventually([&] { return hanging().empty(); }));
  EXPECT_EQ(ask(get("/readyz")).status, 200);
  EXPECT_THAT(gantry.log(), HasSubstr("was given up has returned"));
  EXPECT_THAT(gantry.list({"claim", "list"}), IsEmpty());
  EXPECT_THAT(gantry.list({"server", "list"}), IsEmpty());
  int next = 50;
  for (auto& caller : callers) {
    caller.send(request(method, next++));
    EXPECT_THAT(caller.answer().value_or(RawAnswer{}).status, 200) << "its connection goes on";
  }
  EXPECT_EQ(gantry.stop(), 0);
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  const auto& [workers, threads, method, padding] = info.param;
  return threads + "_" + std::to_string(workers) + "_workers_" + method + (padding > 0 ? "_large" : "");
}

INSTANTIATE_TEST_SUITE_P(Each, AnyHangingDriver,
                         ::testing::Combine(::testing::Values(1, 2), ::testing::Values("reentrant", "serial"),
                                            ::testing::Values("select_destinations", "schedule_run_instance"),
                                            ::testing::Values(0, 100'000)),
                         name_of);

TEST_F(HangingDriver, RequestsThatWerePipelinedBesideACallThatHangsAreAnsweredInTheirOrder) {
  serve("reentrant", 1);
  const auto beat = post("report_state", R"({"args":{"topic":"compute","host":"h1"}})");
  auto connection = connect();
  connection.send(beat + request("select_destinations", 1) + beat + request("select_destinations", 2) + beat);
  for (const int expected : {200, 504, 200, 504, 200})
    EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, expected);
  release();
  EXPECT_TRUE(eventually([&] { return hanging().empty(); }));
  connection.send(request("select_destinations", 3));
  EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 200);
}

TEST_F(HangingDriver, ACallThatWaitsForItsTurnIsDecidedBeforeTheRequestsBehindIt) {
  serve("serial", 1);
  auto first = connect();
  first.send(request("select_destinations", 1));
  ASSERT_TRUE(eventually([&] { return status().at("drivers").at(0).at("calls").to_number<int>() == 1; }));
  auto second = connect();
  second.send(request("schedule_run_instance", 2) +
              post("delete_instance", R"({"args":{"instance":"22222222-2222-4222-8222-000000000002"}})"));
  EXPECT_EQ(ask(post("report_state", R"({"args":{"topic":"compute","host":"h1"}})")).status, 200);
  release();
  EXPECT_EQ(first.answer().value_or(RawAnswer{}).status, 200);
  EXPECT_EQ(second.answer().value_or(RawAnswer{}).status, 200);
  EXPECT_EQ(second.answer().value_or(RawAnswer{}).status, 200);
  EXPECT_THAT(gantry.list({"server", "list"}), IsEmpty());
}

TEST_F(HangingDriver, ACallersOwnDeadlineIsKeptAndItsKeyMayBeUsedAgain) {
  serve("reentrant", 2, "server.request_timeout = 20\n");
  const std::string headers = "Idempotency-Key: again\r\nX-Timeout-Ms: 200\r\n";
  const auto keyed = [&] {
    auto text = request("schedule_run_instance", 7);
    return text.insert(text.find("\r\n") + 2, headers);
  };
  EXPECT_EQ(ask(keyed()).status, 504);
  EXPECT_TRUE(eventually([&] { return hanging().size() == 1; })) << "its call is not said to hang before call_timeout";
  release();
  EXPECT_TRUE(eventually([&] { return hanging().empty(); }));
  EXPECT_TRUE(eventually([&] { return ask(keyed()).status == 200; }));
  EXPECT_THAT(gantry.list({"server", "list"}), SizeIs(1));
}

TEST_F(HangingDriver, TheDoctorDoesNotWaitForACallThatIsAnswered) {
  serve("reentrant", 2);
  EXPECT_EQ(ask(request("select_destinations", 1)).status, 504);
  const auto begun = Clock::now();
  const auto doctor = gantry.gantry({"doctor"});
  EXPECT_EQ(doctor.exit_status, 0) << doctor.out << doctor.err;
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(10));
}

TEST_F(HangingDriver, AStopDoesNotWaitForItBeyondTheStopTimeout) {
  serve("reentrant", 1, "server.stop_timeout = 2\n");
  std::vector<RawConnection> callers;
  for (int i = 0; i < 3; ++i) {
    callers.push_back(connect());
    callers.back().send(request("select_destinations", i));
  }
  for (auto& caller : callers) EXPECT_EQ(caller.answer().value_or(RawAnswer{}).status, 504);
  EXPECT_EQ(gantry.stop(), 1);
  EXPECT_THAT(gantry.log(), ::testing::AllOf(HasSubstr("a driver has not returned"), HasSubstr("calls=3")));
}

}  // namespace
}  // namespace gantry::test
