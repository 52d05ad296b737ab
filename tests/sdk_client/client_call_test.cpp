// SPDX-License-Identifier: Apache-2.0
#include <gantry/client.h>
#include <gmock/gmock.h>

#include <atomic>
#include <gantry/client.hpp>
#include <thread>

#include "tests/transport/server_fixture.hpp"

namespace gantry::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using namespace std::chrono_literals;

class ClientCall : public ServerTest {
 protected:
  client::client client() const { return client::client(settings_.socket, "", 10'000); }

  static json::object parsed(const client::reply& reply) {
    EXPECT_TRUE(reply) << reply.failure().message;
    auto value = json::parse_object(reply.json());
    return value ? std::move(*value) : json::object{};
  }
  static std::string args_of(const client::reply& reply) { return json::write(parsed(reply).at("args")); }
};

TEST_F(ClientCall, CarriesArgsAndContextAndTheResult) {
  start();
  client::client with_context("unix://" + settings_.socket, R"({"user_id":"u"})");
  const auto reply = with_context.call("schedule", R"({"topic":"volume"})");
  EXPECT_EQ(args_of(reply), R"({"topic":"volume"})");
  EXPECT_EQ(json::write(parsed(reply).at("context")), R"({"user_id":"u"})");
  EXPECT_EQ(reply.attempts(), 1);
  client::call_options own;
  own.context = R"({"user_id":"v"})";
  EXPECT_EQ(json::write(parsed(with_context.call("schedule", "{}", own)).at("context")), R"({"user_id":"v"})");
}

TEST_F(ClientCall, ReturnsAResultUnchanged) {
  start();
  auto caller = client();
  EXPECT_EQ(caller.call("schedule", R"({"fake":{"result":[1,{"a":"}"},9007199254740993]}})").json(),
            R"([1,{"a":"}"},9007199254740993])");
  EXPECT_EQ(caller.call("schedule", R"({"fake":{"result":null}})").json(), "null");
}

TEST_F(ClientCall, SendsARequestIdAndAnIdempotencyKey) {
  start();
  auto caller = client();
  const auto reply = caller.call("schedule");
  EXPECT_THAT(reply.request_id(), MatchesRegex("req-[0-9a-f-]+"));
  EXPECT_EQ(*json::find_string(parsed(reply), "request_id"), reply.request_id());
  EXPECT_EQ(json::find_string(parsed(reply), "idempotency_key")->size(), 36U);
  client::call_options own;
  own.request_id = "req-0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0";
  own.idempotency_key = "mine";
  const auto second = caller.call("schedule", "{}", own);
  EXPECT_EQ(second.request_id(), own.request_id);
  EXPECT_EQ(*json::find_string(parsed(second), "idempotency_key"), "mine");
}

TEST_F(ClientCall, TellsTheDaemonHowMuchTimeIsLeft) {
  start();
  client::call_options own;
  own.timeout_ms = 5'000;
  EXPECT_LE(*json::find_integer(parsed(client().call("schedule", "{}", own)), "time_left_ms"), 5'000);
}

TEST_F(ClientCall, ReturnsTheDaemonsErrors) {
  start();
  const auto reply = client().call(
      "schedule",
      R"({"fake":{"error":"no_valid_host","message":"No valid host was found. full","details":{"steps":[]}}})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.failure().code, "no_valid_host");
  EXPECT_EQ(reply.failure().message, "No valid host was found. full");
  EXPECT_EQ(reply.failure().details, R"({"steps":[]})");
  EXPECT_THAT(client().call("list_host").failure().message, HasSubstr("did you mean list_hosts"));
}

TEST_F(ClientCall, RepeatsAnUnavailableCallUnderTheSameKey) {
  start();
  const auto reply = client().call("schedule", R"({"fake":{"unavailable":2}})");
  EXPECT_TRUE(reply) << reply.failure().message;
  EXPECT_EQ(reply.attempts(), 3);
}

TEST_F(ClientCall, ReturnsUnavailableAtTheDeadline) {
  start();
  client::call_options brief;
  brief.timeout_ms = 200;
  const auto reply = client().call("schedule", R"({"fake":{"unavailable":1000}})", brief);
  EXPECT_THAT(reply.failure().code, AnyOf("unavailable", "deadline_exceeded"));
  EXPECT_THAT(reply.failure().message, HasSubstr("not now"));
  EXPECT_GT(reply.attempts(), 1);
}

TEST_F(ClientCall, NamesTheRefusalBeforeATryThatTookTooLong) {
  start();
  client::call_options brief;
  brief.timeout_ms = 2000;
  const auto late = client().call("schedule", R"({"fake":{"unavailable":1,"hold":true}})", brief);
  EXPECT_EQ(late.failure().code, "deadline_exceeded");
  EXPECT_THAT(late.failure().message, HasSubstr("the try before: not now"));
  manager_.release();
}

TEST_F(ClientCall, DoesNotRepeatOtherErrors) {
  start();
  EXPECT_EQ(client().call("schedule", R"({"fake":{"error":"resource_exhausted"}})").attempts(), 1);
  EXPECT_EQ(client().call("schedule", R"({"fake":{"error":"internal"}})").attempts(), 1);
}

TEST_F(ClientCall, FailsAtItsDeadlineAndAllowsFurtherCalls) {
  start();
  auto caller = client();
  client::call_options brief;
  brief.timeout_ms = 50;
  const auto late = caller.call("schedule", R"({"fake":{"hold":true}})", brief);
  EXPECT_EQ(late.failure().code, "deadline_exceeded");
  EXPECT_THAT(late.failure().message, HasSubstr("within 50 ms; the call may still take effect"));
  EXPECT_TRUE(caller.call("schedule"));
  manager_.release();
}

TEST_F(ClientCall, ReconnectsIfTheDaemonHasEndedTheConnection) {
  settings_.idle_timeout = 20ms;
  start();
  auto caller = client();
  EXPECT_TRUE(caller.call("schedule"));
  std::this_thread::sleep_for(100ms);
  EXPECT_TRUE(caller.call("schedule"));
}

TEST_F(ClientCall, WaitsForADaemonThatRestarts) {
  start();
  auto caller = client();
  EXPECT_TRUE(caller.call("schedule"));
  stop();
  std::thread starter([this] {
    std::this_thread::sleep_for(100ms);
    start();
  });
  const auto reply = caller.call("schedule");
  starter.join();
  EXPECT_TRUE(reply) << reply.failure().message;
  EXPECT_GT(reply.attempts(), 1);
}

TEST_F(ClientCall, LosesNoCallWhileTheDaemonRestartsUnderLoad) {
  start();
  std::atomic<bool> go_on{true};
  std::vector<std::thread> callers;
  std::vector<std::string> failures(4);
  for (auto& failure : failures) {
    callers.emplace_back([this, &go_on, &failure] {
      auto caller = client();
      while (go_on && failure.empty()) {
        const auto reply = caller.call("schedule", R"({"fake":{"delay_ms":1}})");
        if (!reply) failure = reply.failure().message;
      }
    });
  }
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(20ms);
    stop();
    start();
  }
  go_on = false;
  for (auto& caller : callers) caller.join();
  EXPECT_THAT(failures, ::testing::Each(""));
}

TEST_F(ClientCall, ExplainsHowToProceedIfNoDaemonAnswers) {
  gantry_client_options options{};
  options.struct_size = sizeof options;
  options.absent_wait_ms = -1;
  gantry_client* caller = gantry_client_new(settings_.socket.c_str(), &options);
  gantry_reply* reply = gantry_client_call(caller, "status", nullptr, nullptr);
  EXPECT_EQ(reply->ok, 0);
  EXPECT_STREQ(reply->code, "unreachable");
  EXPECT_EQ(reply->message, "no daemon answers at unix://" + settings_.socket +
                                " (No such file or directory): is gantryd running? Name another socket with --url or "
                                "GANTRY_URL");
  EXPECT_EQ(reply->http_status, 0);
  EXPECT_EQ(reply->attempts, 1);
  EXPECT_STREQ(reply->result, "");
  gantry_reply_free(reply);
  gantry_client_free(caller);
}

TEST_F(ClientCall, RefusesArgumentsThatAreNotObjects) {
  auto caller = client();
  EXPECT_EQ(caller.call("schedule", "[1]").failure().message,
            "args: expected a JSON object, found another kind of value");
  EXPECT_EQ(caller.call("../x").failure().code, "invalid_argument");
  EXPECT_THAT(caller.select_destinations("nonsense").failure().message, HasSubstr("request_spec: expected a JSON"));
  client::call_options injecting;
  injecting.request_id = "a\r\nX: y";
  EXPECT_EQ(caller.call("schedule", "{}", injecting).failure().code, "invalid_argument");
}

TEST_F(ClientCall, RefusesANullClient) {
  EXPECT_EQ(gantry_client_new("gopher://x", nullptr), nullptr);
  gantry_reply* reply = gantry_client_call(nullptr, "status", nullptr, nullptr);
  EXPECT_STREQ(reply->code, "invalid_argument");
  gantry_reply_free(reply);
  gantry_reply_free(nullptr);
  gantry_client_free(nullptr);
}

TEST_F(ClientCall, ReadsADocument) {
  start();
  auto caller = client();
  const auto page = caller.document("/livez");
  EXPECT_EQ(page.json(), R"({"status":"ok"})");
  EXPECT_THAT(page.request_id(), MatchesRegex("req-[0-9a-f-]+"));
  EXPECT_EQ(caller.document("/nowhere").failure().code, "unsupported");
  EXPECT_EQ(caller.document("livez").failure().code, "invalid_argument");
  EXPECT_EQ(caller.document("/a HTTP/1.1\r\nX: y").failure().code, "invalid_argument");
  EXPECT_EQ(args_of(caller.call("schedule")), "{}") << "the connection is fit for calls after it";
}

TEST_F(ClientCall, ReturnsTheErrorForABodyThatIsTooLarge) {
  start();
  const auto reply = client().call("schedule", R"({"text":")" + std::string(20 << 20, 'x') + "\"}");
  EXPECT_EQ(reply.failure().code, "invalid_argument");
  EXPECT_THAT(reply.failure().message, HasSubstr("max_body_bytes"));
}

TEST_F(ClientCall, BuildsTheArgumentsOfTheCommonMethods) {
  start();
  auto caller = client();
  EXPECT_EQ(args_of(caller.select_destinations(R"({"a":1})", R"({"b":2})")),
            R"({"request_spec":{"a":1},"filter_properties":{"b":2}})");
  EXPECT_EQ(args_of(caller.schedule_run_instance(R"({"a":1})")), R"({"request_spec":{"a":1}})");
  EXPECT_EQ(args_of(caller.schedule("volume", "create", R"({"size":1})")),
            R"({"topic":"volume","schedule_method":"create","kwargs":{"size":1}})");
  EXPECT_EQ(args_of(caller.update_resource_stats("h", "n", R"({"vcpus":4})")),
            R"({"topic":"compute","name":["h","n"],"stats":{"vcpus":4}})");
  EXPECT_EQ(args_of(caller.update_resource_stats("h", "", "{}")), R"({"topic":"compute","name":"h","stats":{}})");
  EXPECT_EQ(args_of(caller.update_service_capabilities("volume", "h", "{}")),
            R"({"service_name":"volume","host":"h","capabilities":{}})");
  EXPECT_EQ(args_of(caller.service_register("compute", "h", "agent")),
            R"({"topic":"compute","host":"h","binary":"agent"})");
  EXPECT_EQ(args_of(caller.report_state("compute", "h")), R"({"topic":"compute","host":"h"})");
  EXPECT_EQ(args_of(caller.hosts_up("compute")), R"({"topic":"compute"})");
  EXPECT_EQ(args_of(caller.group_hosts("g \"1\"")), R"({"group":"g \"1\""})");
  EXPECT_EQ(args_of(caller.receive_casts("compute", "h", 7)), R"({"topic":"compute","host":"h","wait_ms":7})");
  EXPECT_EQ(args_of(caller.acknowledge_cast("c1")), R"({"id":"c1"})");
}

}  // namespace
}  // namespace gantry::testing
