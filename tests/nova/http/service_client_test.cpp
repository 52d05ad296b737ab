// SPDX-License-Identifier: Apache-2.0
//
// Tokens of Keystone, and their use.
#include "core/nova/http/service_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "core/encoding/json.hpp"
#include "core/nova/http/keystone_login.hpp"
#include "tests/nova/http/scripted_server.hpp"
#include "tests/nova/http/waiting_client.hpp"

namespace gantry::nova {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using testing::ScriptedServer;

// Real timers with a clock that can be set forward.
class ShiftedTimers final : public Timers {
 public:
  explicit ShiftedTimers(const Strand& strand) : timers_(strand) {}
  Clock::time_point now() const override { return Clock::now() + shift; }
  Handle at(Clock::time_point time, std::function<void()> then) override {
    return timers_.at(time - shift, std::move(then));
  }
  Clock::duration shift{};

 private:
  AsioTimers timers_;
};

std::string token_body(const std::string& endpoint) {
  return R"({"token":{"issued_at":"2026-01-01T00:00:00.000000Z","expires_at":"2026-01-01T01:00:00.000000Z","catalog":[
    {"type":"compute","endpoints":[{"interface":"internal","region_id":"one","url":"http://wrong"}]},
    {"type":"placement","endpoints":[{"interface":"public","region_id":"one","url":"http://public"},
      {"interface":"internal","region_id":"two","url":"http://two"},
      {"interface":"internal","region_id":"one","url":")" +
         endpoint + R"("}]}]}})";
}

class ServiceClientTest : public ::testing::Test {
 protected:
  ServiceClientTest() {
    thread.run([&] {
      timers.emplace(thread.strand());
      KeystoneOptions options;
      options.user = {{"nova", ""}, {"Default", ""}, "s3cret", {"service", ""}, {"", "default"}};
      options.service.region = "one";
      login.emplace(thread.strand(), *timers, *parse_http_address(keystone.url("/identity")), options);
      client.emplace(thread.strand(), *login, HttpClientOptions{});
    });
  }
  ~ServiceClientTest() override {
    thread.run([&] {
      client.reset();
      login.reset();
    });
  }
  HttpOutcome get() {
    return thread.wait<HttpOutcome>([this](auto done) {
      client->send({"GET", "/allocations", {}, ""}, timers->now() + seconds(30), done);
    });
  }
  void accept(const std::string& token) {
    const std::lock_guard lock(mutex);
    accepted = token;
  }
  void shift(seconds time) {
    thread.run([&] { timers->shift += time; });
  }

  std::atomic<int> issued = 0;
  std::atomic<int> keystone_status = 201;
  std::string accepted = "token1";
  std::mutex mutex;
  ScriptedServer placement{[this](const std::string& request) {
    const std::lock_guard lock(mutex);
    const bool is_accepted = request.find("X-Auth-Token: " + accepted + "\r\n") != std::string::npos;
    return ScriptedServer::Reply{ScriptedServer::answer(is_accepted ? 200 : 401, "")};
  }};
  ScriptedServer keystone{[this](const std::string&) {
    const std::string header = "X-Subject-Token: token" + std::to_string(++issued) + "\r\n";
    return ScriptedServer::Reply{
        ScriptedServer::answer(keystone_status, token_body(placement.url("/placement")), header)};
  }};
  testing::StrandThread thread;
  std::optional<ShiftedTimers> timers;
  std::optional<KeystoneLogin> login;
  std::optional<ServiceClient> client;
};

TEST_F(ServiceClientTest, APasswordBuysATokenAndTheCatalogueNamesTheEndpoint) {
  EXPECT_EQ(get().status, 200U);
  EXPECT_EQ(get().status, 200U);
  EXPECT_EQ(issued, 1);
  EXPECT_THAT(placement.requests().front(), HasSubstr("GET /placement/allocations HTTP/1.1"));
  const auto question = keystone.requests().front();
  EXPECT_THAT(question, HasSubstr("POST /identity/v3/auth/tokens HTTP/1.1"));
  EXPECT_EQ(json::parse(question.substr(question.find("\r\n\r\n") + 4)).operator*(),
            *json::parse(R"({"auth":{"identity":{"methods":["password"],"password":{"user":{"name":"nova",
              "domain":{"name":"Default"},"password":"s3cret"}}},
              "scope":{"project":{"name":"service","domain":{"id":"default"}}}}})"));
}

TEST_F(ServiceClientTest, ATokenIsRenewedAtTwoThirdsOfItsLifeAndUsedMeanwhile) {
  EXPECT_EQ(get().status, 200U);
  shift(seconds(39 * 60));
  EXPECT_EQ(get().status, 200U);
  EXPECT_EQ(issued, 1);
  shift(seconds(2 * 60));
  EXPECT_EQ(get().status, 200U);
  while (issued < 2) std::this_thread::yield();
}

TEST_F(ServiceClientTest, AnOldTokenServesWhileKeystoneIsAway) {
  EXPECT_EQ(get().status, 200U);
  keystone_status = 503;
  shift(seconds(50 * 60));
  EXPECT_EQ(get().status, 200U);
  shift(seconds(11 * 60));
  const auto outcome = get();
  EXPECT_EQ(outcome.kind, HttpOutcome::Kind::not_sent);
  EXPECT_THAT(outcome.reason, HasSubstr("expected status 201, found 503"));
}

TEST_F(ServiceClientTest, ATokenThatIsRefusedIsRenewedOnce) {
  EXPECT_EQ(get().status, 200U);
  accept("token2");
  EXPECT_EQ(get().status, 200U);
  EXPECT_EQ(issued, 2);
  accept("none");
  EXPECT_EQ(get().status, 401U);
  EXPECT_EQ(issued, 3);
}

TEST_F(ServiceClientTest, ARefusedPasswordIsSaidWithoutIt) {
  keystone_status = 401;
  const auto outcome = get();
  EXPECT_EQ(outcome.kind, HttpOutcome::Kind::not_sent);
  EXPECT_THAT(outcome.reason, HasSubstr("no token from Keystone at 127.0.0.1:"));
  EXPECT_THAT(outcome.reason, ::testing::Not(HasSubstr("s3cret")));
}

TEST_F(ServiceClientTest, Keystone_is_not_asked_at_once_again_after_a_refusal) {
  keystone_status = 401;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(get().kind, HttpOutcome::Kind::not_sent);
  EXPECT_EQ(issued, 1);
  keystone_status = 201;
  accept("token2");
  shift(seconds(10));
  EXPECT_EQ(get().status, 200U);
}

TEST_F(ServiceClientTest, AStaticTokenIsSentAsItIs) {
  StaticLogin fixed({placement.url(), "token1"});
  std::optional<ServiceClient> direct;
  thread.run([&] { direct.emplace(thread.strand(), fixed, HttpClientOptions{}); });
  const auto outcome = thread.wait<HttpOutcome>([&](auto done) {
    direct->send({"GET", "/", {}, ""}, Clock::now() + seconds(30), done);
  });
  thread.run([&] { direct.reset(); });
  EXPECT_EQ(outcome.status, 200U);
  EXPECT_EQ(issued, 0);
}

TEST(KeystoneDocuments, WhatTheCatalogueLacksIsNamed) {
  KeystoneService service{"placement", {"internal", "admin"}, "three", ""};
  const auto token = read_keystone_token(token_body("http://x"), service);
  ASSERT_FALSE(token);
  EXPECT_THAT(token.error().message,
              HasSubstr("an endpoint of service type placement, interface internal admin, region three"));
  service.endpoint_override = "http://mine";
  EXPECT_EQ(read_keystone_token(token_body("http://x"), service)->endpoint, "http://mine");
  EXPECT_EQ(read_keystone_token(token_body("http://x"), {"placement", {"public"}, "one", ""})->endpoint,
            "http://public");
  for (const auto* const body : {"", "{}", R"({"token":{}})", R"({"token":{"issued_at":"x","expires_at":"y"}})"})
    EXPECT_FALSE(read_keystone_token(body, service)) << body;
}

TEST(KeystoneDocuments, ThePathHasTheVersionOnce) {
  EXPECT_EQ(keystone_tokens_path("/identity"), "/v3/auth/tokens");
  EXPECT_EQ(keystone_tokens_path("/identity/v3"), "/auth/tokens");
}

}  // namespace
}  // namespace gantry::nova
