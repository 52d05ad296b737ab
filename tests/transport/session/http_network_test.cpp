// SPDX-License-Identifier: Apache-2.0
//
// TCP beside the unix socket: who gets in, and how much of it.
#include <gmock/gmock.h>

#include "tests/transport/server_fixture.hpp"

namespace gantry::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class HttpNetwork : public ServerTest {
 protected:
  HttpNetwork() { settings_.listen = {"127.0.0.1:0"}; }

  RawConnection connect_tcp() const {
    const auto address = server_->addresses().at(0);
    return RawConnection::to_port(std::stoi(address.substr(address.rfind(':') + 1)));
  }
  RawAnswer ask_tcp(const std::string& request) const {
    RawConnection connection = connect_tcp();
    connection.send(request);
    return connection.answer().value_or(RawAnswer{});
  }
  static std::string bearer(const std::string& token) { return "Authorization: Bearer " + token + "\r\n"; }
};

TEST_F(HttpNetwork, SaysWhereItListens) {
  start();
  ASSERT_EQ(server_->addresses().size(), 1U);
  EXPECT_THAT(server_->addresses()[0], StartsWith("http://127.0.0.1:"));
}

TEST_F(HttpNetwork, ServesIpv6) {
  settings_.listen = {"[::1]:0"};
  start();
  EXPECT_THAT(server_->addresses().at(0), StartsWith("http://[::1]:"));
}

TEST_F(HttpNetwork, AnswersACallWithAToken) {
  start();
  const auto answer = ask_tcp(get("/v1/hosts_up?topic=compute", bearer("good")));
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_THAT(std::string(*json::find_string(result_of(answer), "peer")), StartsWith("tcp 127.0.0.1:"));
  EXPECT_THAT(std::string(*json::find_string(result_of(answer), "peer")), HasSubstr("token=good"));
}

TEST_F(HttpNetwork, RefusesACallWithoutAToken) {
  start();
  const auto answer = ask_tcp(get("/v1/hosts_up?topic=compute"));
  EXPECT_EQ(answer.status, 401);
  EXPECT_EQ(answer.headers.at("www-authenticate"), "Bearer realm=\"gantry\"");
  EXPECT_EQ(error_of(answer, "code"), "unauthenticated");
  EXPECT_THAT(error_of(answer, "message"), HasSubstr("expected the header Authorization: Bearer <token>, found none"));
  EXPECT_EQ(manager_.handled(), 0U);
}

TEST_F(HttpNetwork, RefusesAnUnknownTokenAndAnotherScheme) {
  start();
  EXPECT_EQ(ask_tcp(get("/v1/hosts_up?topic=compute", bearer("bad"))).status, 401);
  EXPECT_EQ(ask_tcp(get("/v1/hosts_up?topic=compute", "Authorization: Basic Z29vZDo=\r\n")).status, 401);
  EXPECT_EQ(ask_tcp(get("/v1/hosts_up?topic=compute", "Authorization: Bearer\r\n")).status, 401);
  EXPECT_EQ(manager_.handled(), 0U);
}

TEST_F(HttpNetwork, RefusesBeforeTheBodyIsRead) {
  start();
  auto connection = connect_tcp();
  connection.send(
      "POST /v1/schedule HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 5000000\r\n\r\n");
  const auto answer = connection.answer();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 401);
  EXPECT_EQ(answer->headers.at("connection"), "close");
}

TEST_F(HttpNetwork, AsksForATokenBeforeItJudgesTheSizeOfTheBody) {
  start();
  auto connection = connect_tcp();
  connection.send(
      "POST /v1/schedule HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 50000000000\r\n\r\n");
  const auto answer = connection.answer();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 401);
  auto known = connect_tcp();
  known.send("POST /v1/hosts_up HTTP/1.1\r\nHost: h\r\n" + bearer("good") +
             "Content-Type: application/json\r\nContent-Length: 50000000000\r\n\r\n");
  const auto refused = known.answer();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 413);
}

TEST_F(HttpNetwork, RefusesAMethodThatTheRoleMayNotCallAndServesTheNext) {
  start();
  auto connection = connect_tcp();
  connection.send(post("schedule", R"({"args":{}})", bearer("good")));
  const auto denied = connection.answer();
  ASSERT_TRUE(denied);
  EXPECT_EQ(denied->status, 403);
  EXPECT_EQ(error_of(*denied, "code"), "permission_denied");
  connection.send(get("/v1/hosts_up?topic=compute", bearer("good")));
  const auto served = connection.answer();
  ASSERT_TRUE(served);
  EXPECT_EQ(served->status, 200);
}

TEST_F(HttpNetwork, ChecksTheTokenOfEachRequest) {
  start();
  auto connection = connect_tcp();
  connection.send(post("schedule", R"({"args":{}})", bearer("admin")) +
                  post("schedule", R"({"args":{}})", bearer("good")) + get("/v1/hosts_up?topic=compute"));
  EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 200);
  EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 403);
  EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 401);
}

TEST_F(HttpNetwork, TellsItsHealthWithoutAToken) {
  start();
  for (const std::string path : {"/livez", "/readyz", "/"}) EXPECT_EQ(ask_tcp(get(path)).status, 200) << path;
}

TEST_F(HttpNetwork, TellsStrangersNothingOfTheMethods) {
  start();
  EXPECT_EQ(ask_tcp(get("/v1/no_such_method")).status, 401);
  EXPECT_EQ(ask_tcp(get("/no/such/path")).status, 401);
}

TEST_F(HttpNetwork, NeedsNoTokenWhereTheSettingsSaySo) {
  settings_.require_tokens = false;
  start();
  EXPECT_EQ(ask_tcp(post("schedule", R"({"args":{}})")).status, 200);
  EXPECT_EQ(ask_tcp(post("schedule", R"({"args":{}})", bearer("bad"))).status, 401);
}

TEST_F(HttpNetwork, HoldsATokenOverTheUnixSocketToItsRole) {
  start();
  EXPECT_EQ(ask(post("schedule", R"({"args":{}})")).status, 200);
  EXPECT_EQ(ask(post("schedule", R"({"args":{}})", bearer("good"))).status, 403);
  EXPECT_EQ(ask(post("schedule", R"({"args":{}})", bearer("bad"))).status, 401);
}

TEST_F(HttpNetwork, RefusesOneConnectionTooManyAndServesTheOtherSocket) {
  settings_.max_connections = 2;
  start();
  auto first = connect_tcp();
  first.send(get("/livez", bearer("good")));
  ASSERT_TRUE(first.answer());
  {
    auto second = connect_tcp();
    second.send(get("/livez", bearer("good")));
    ASSERT_TRUE(second.answer());
    auto third = connect_tcp();
    third.send(get("/livez"));
    const auto refused = third.answer();
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->status, 503);
    EXPECT_EQ(refused->headers.at("retry-after"), "1");
    EXPECT_THAT(error_of(*refused, "message"), HasSubstr("at most 2 connections at a time (server.max_connections)"));
    EXPECT_EQ(ask(get("/livez")).status, 200);
  }
  for (int tries = 0; tries < 1000; ++tries) {
    if (ask_tcp(get("/livez")).status == 200) return;
    std::this_thread::sleep_for(10ms);
  }
  FAIL() << "the place of a connection that ended is not given to another";
}

TEST_F(HttpNetwork, ClosesTheOldestConnectionWithoutATokenForOneMore) {
  settings_.max_connections = 3;
  start();
  auto known = connect_tcp();
  known.send(get("/v1/status", bearer("good")));
  ASSERT_EQ(known.answer().value_or(RawAnswer{}).status, 200);
  auto oldest = connect_tcp();
  oldest.send(get("/livez"));
  ASSERT_TRUE(oldest.answer());
  std::vector<RawConnection> strangers;
  for (int i = 0; i < 20; ++i) {
    strangers.push_back(connect_tcp());
    strangers.back().send(get("/livez"));
    ASSERT_EQ(strangers.back().answer().value_or(RawAnswer{}).status, 200) << i;
  }
  EXPECT_TRUE(oldest.ended());
  known.send(get("/v1/status", bearer("good")));
  EXPECT_EQ(known.answer().value_or(RawAnswer{}).status, 200);
  EXPECT_EQ(ask_tcp(get("/v1/status", bearer("good"))).status, 200);
}

TEST_F(HttpNetwork, RefusesOneWaitingRequestTooMany) {
  settings_.max_waiting_requests = 2;
  start();
  auto first = connect();
  first.send(post("schedule", R"({"args":{"fake":{"hold":true}}})"));
  auto second = connect();
  second.send(post("schedule", R"({"args":{"fake":{"hold":true}}})"));
  ASSERT_TRUE(manager_.wait_until_held(2));
  const auto refused = ask(post("schedule", "{}"));
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.headers.at("retry-after"), "1");
  EXPECT_EQ(error_of(refused, "code"), "unavailable");
  EXPECT_THAT(error_of(refused, "message"), HasSubstr("at most 2 requests to wait"));
  manager_.release();
  EXPECT_EQ(first.answer().value_or(RawAnswer{}).status, 200);
  EXPECT_EQ(second.answer().value_or(RawAnswer{}).status, 200);
  EXPECT_EQ(ask(post("schedule", "{}")).status, 200);
}

TEST_F(HttpNetwork, DoesNotCountRequestsThatWaitForCasts) {
  settings_.max_waiting_requests = 1;
  start();
  auto first = connect();
  first.send(post("receive_casts", R"({"args":{"fake":{"hold":true}}})"));
  auto second = connect();
  second.send(post("receive_casts", R"({"args":{"fake":{"hold":true}}})"));
  ASSERT_TRUE(manager_.wait_until_held(2));
  EXPECT_EQ(ask(post("schedule", "{}")).status, 200);
  manager_.release();
}

TEST_F(HttpNetwork, RefusesAnAddressThatIsTaken) {
  start();
  const auto address = server_->addresses().at(0).substr(std::string("http://").size());
  auto other = settings_;
  other.socket += "2";
  other.listen = {address};
  const auto refused = transport::HttpServer::start(other, manager_, telemetry::Logger::none());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::already_exists);
  EXPECT_THAT(refused.error().message, HasSubstr("server.listen '" + address + "': cannot be bound"));
}

}  // namespace
}  // namespace gantry::testing
