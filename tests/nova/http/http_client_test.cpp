// SPDX-License-Identifier: Apache-2.0
#include "core/nova/http/http_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "core/transport/sockets/tls_client.hpp"
#include "tests/nova/http/scripted_server.hpp"
#include "tests/nova/http/waiting_client.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/transport/test_certificate.hpp"

namespace gantry::nova {
namespace {

using ::testing::HasSubstr;
using testing::ScriptedServer;
using Kind = HttpOutcome::Kind;
using std::chrono::milliseconds;
using std::chrono::seconds;

// A client of one server. It ends on its strand.
class TestClient {
 public:
  explicit TestClient(const std::string& url, HttpClientOptions options = {}) {
    thread_.run([&] { client_.emplace(thread_.strand(), *parse_http_address(url), std::move(options)); });
  }
  ~TestClient() { end(); }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  std::future<HttpOutcome> begin(const std::string& verb, const std::string& target, const std::string& body = "",
                                 milliseconds patience = seconds(30)) {
    return thread_.begin<HttpOutcome>([=, this](auto done) {
      client_->send({verb, target, {{"X-Test", "yes"}}, body}, Clock::now() + patience, done);
    });
  }
  HttpOutcome send(const std::string& verb, const std::string& target, const std::string& body = "",
                   milliseconds patience = seconds(30)) {
    return begin(verb, target, body, patience).get();
  }
  void end() {
    thread_.run([&] { client_.reset(); });
  }

 private:
  testing::StrandThread thread_;
  std::optional<HttpClient> client_;
};

TEST(HttpClient, KeepsItsConnectionForFurtherRequests) {
  ScriptedServer server(
      [](const auto&) { return ScriptedServer::Reply{ScriptedServer::answer(200, "said", "X-One: 1\r\n")}; });
  TestClient client(server.url("/placement/"));
  for (int i = 0; i < 3; ++i) {
    const auto outcome = client.send("PUT", "/allocations/1?a=b", "{}");
    EXPECT_EQ(outcome.kind, Kind::answered);
    EXPECT_EQ(outcome.status, 200U);
    EXPECT_EQ(outcome.body, "said");
    EXPECT_EQ(outcome.header("x-one"), "1");
  }
  EXPECT_EQ(server.connections(), 1);
  const auto request = server.requests().front();
  EXPECT_THAT(request, HasSubstr("PUT /placement/allocations/1?a=b HTTP/1.1\r\n"));
  EXPECT_THAT(request, HasSubstr("Host: 127.0.0.1:" + std::to_string(server.port()) + "\r\n"));
  EXPECT_THAT(request, HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(request, HasSubstr("X-Test: yes\r\n"));
}

TEST(HttpClient, OpensNoMoreConnectionsThanItMay) {
  std::atomic<bool> may_answer = false;
  ScriptedServer server([&](const auto&) {
    while (!may_answer) std::this_thread::yield();
    return ScriptedServer::Reply{ScriptedServer::answer(204, "")};
  });
  TestClient client(server.url(), {.connections = 2});
  std::vector<std::future<HttpOutcome>> outcomes;
  for (int i = 0; i < 6; ++i) outcomes.push_back(client.begin("GET", "/"));
  while (server.requests().size() < 2) std::this_thread::yield();
  const auto late = client.send("GET", "/late", "", milliseconds(50));
  EXPECT_EQ(late.kind, Kind::not_sent);
  EXPECT_EQ(late.reason, "all 2 connections were in use until the deadline");
  may_answer = true;
  for (auto& outcome : outcomes) EXPECT_EQ(outcome.get().status, 204U);
  EXPECT_EQ(server.connections(), 2);
}

TEST(HttpClient, TakesANewConnectionWhereTheServerHasEndedTheOldOne) {
  ScriptedServer server([](const auto&) { return ScriptedServer::Reply{ScriptedServer::answer(200, ""), true}; });
  TestClient client(server.url());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(client.send("GET", "/").status, 200U);
  EXPECT_EQ(server.requests().size(), 5U);
}

TEST(HttpClient, SaysThatNothingWasSentWhereNoServerListens) {
  unsigned short port = 0;
  {
    ScriptedServer server([](const auto&) { return ScriptedServer::Reply{}; });
    port = server.port();
  }
  TestClient client("http://127.0.0.1:" + std::to_string(port));
  const auto outcome = client.send("PUT", "/");
  EXPECT_EQ(outcome.kind, Kind::not_sent);
  EXPECT_THAT(outcome.reason, HasSubstr("Connection refused"));
}

TEST(HttpClient, AConnectionThatEndsWithoutAnAnswerIsLost) {
  ScriptedServer server([](const auto&) { return ScriptedServer::Reply{"HTTP/1.1 204", true}; });
  TestClient client(server.url());
  EXPECT_EQ(client.send("PUT", "/", "{}").kind, Kind::lost);
  EXPECT_EQ(client.send("GET", "/").kind, Kind::lost);
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST(HttpClient, AGetOnAKeptConnectionThatEndsIsSentOnceMore) {
  std::atomic<int> count = 0;
  ScriptedServer server([&](const auto&) {
    return ++count == 2 ? ScriptedServer::Reply{"", true} : ScriptedServer::Reply{ScriptedServer::answer(200, "")};
  });
  TestClient client(server.url());
  EXPECT_EQ(client.send("GET", "/1").status, 200U);
  EXPECT_EQ(client.send("GET", "/2").status, 200U);
  EXPECT_EQ(server.connections(), 2);
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST(HttpClient, APutIsNeverSentTwice) {
  std::atomic<int> count = 0;
  ScriptedServer server([&](const auto&) {
    return ++count == 2 ? ScriptedServer::Reply{"", true} : ScriptedServer::Reply{ScriptedServer::answer(200, "")};
  });
  TestClient client(server.url());
  EXPECT_EQ(client.send("PUT", "/1", "{}").status, 200U);
  EXPECT_EQ(client.send("PUT", "/2", "{}").kind, Kind::lost);
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST(HttpClient, AServerThatHangsIsLostAtTheDeadline) {
  ScriptedServer server([](const auto&) { return ScriptedServer::Reply{.hangs = true}; });
  TestClient client(server.url());
  const auto begin = Clock::now();
  const auto outcome = client.send("PUT", "/", "{}", milliseconds(3000));
  EXPECT_EQ(outcome.kind, Kind::lost);
  EXPECT_EQ(outcome.reason, "no whole answer came until the deadline");
  EXPECT_GE(Clock::now() - begin, milliseconds(3000));
  EXPECT_LT(Clock::now() - begin, seconds(20));
}

TEST(HttpClient, AnAnswerOf100MegabytesIsBounded) {
  constexpr std::size_t megabyte = 1024UL * 1024;
  const std::string part(megabyte, ' ');
  for (const bool is_announced : {true, false}) {
    std::atomic<int> count = 0;
    ScriptedServer server([&](const auto&) -> ScriptedServer::Reply {
      if (++count == 2) return {ScriptedServer::answer(200, "next")};
      const std::string length = is_announced ? "Content-Length: " + std::to_string(100 * megabyte) + "\r\n" : "";
      return {"HTTP/1.1 200 OK\r\n" + length + "\r\n" + part, true, false, 100};
    });
    TestClient client(server.url(), {.body_limit = megabyte});
    const auto outcome = client.send("PUT", "/", "{}");
    EXPECT_EQ(outcome.kind, Kind::lost);
    EXPECT_THAT(outcome.reason, HasSubstr("the answer has more than 1048576 bytes"));
    EXPECT_EQ(outcome.body, "");
    EXPECT_EQ(client.send("GET", "/").body, "next");
  }
}

TEST(HttpClient, BytesThatAreNoHttpAreLost) {
  ScriptedServer server([](const auto&) { return ScriptedServer::Reply{"SSH-2.0-OpenSSH\r\n\r\n"}; });
  TestClient client(server.url());
  EXPECT_EQ(client.send("GET", "/").kind, Kind::lost);
}

TEST(HttpClient, ABodyInChunksAndOneWithoutALengthAreRead) {
  std::atomic<int> count = 0;
  ScriptedServer server([&](const auto&) -> ScriptedServer::Reply {
    if (++count == 1) return {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n"};
    return {"HTTP/1.0 200 OK\r\n\r\ntwo", true};
  });
  TestClient client(server.url());
  EXPECT_EQ(client.send("GET", "/").body, "one");
  EXPECT_EQ(client.send("GET", "/").body, "two");
}

TEST(HttpClient, ARequestNeverHoldsAFurtherLine) {
  ScriptedServer server([](const auto&) { return ScriptedServer::Reply{ScriptedServer::answer(200, "")}; });
  TestClient client(server.url());
  for (const auto* const target : {"/a b", "/a\r\nX-Further: 1", "/a\n"})
    EXPECT_EQ(client.send("GET", target).kind, Kind::not_sent) << target;
  EXPECT_TRUE(server.requests().empty());
}

TEST(HttpClient, TheEndOfTheClientEndsRequestsUnderWay) {
  ScriptedServer server([](const auto&) { return ScriptedServer::Reply{.hangs = true}; });
  TestClient client(server.url(), {.connections = 1});
  auto under_way = client.begin("PUT", "/1", "{}");
  while (server.requests().empty()) std::this_thread::yield();
  auto waiting = client.begin("PUT", "/2", "{}");
  client.end();
  EXPECT_EQ(under_way.get().kind, Kind::lost);
  EXPECT_EQ(waiting.get().kind, Kind::not_sent);
}

TEST(HttpClient, SpeaksTlsWithAServerWhoseCertificateItTrusts) {
  const support::ScratchDirectory directory;
  const auto files = gantry::testing::make_certificate(directory.path());
  const auto other = gantry::testing::make_certificate(directory.path(), 30, "other");
  ScriptedServer server([](const auto&) { return ScriptedServer::Reply{ScriptedServer::answer(200, "secret")}; },
                        files.chain, files.key);
  TestClient trusting(server.url(), {.tls = *transport::tls_client_context({.authorities = files.chain})});
  EXPECT_EQ(trusting.send("GET", "/").body, "secret");
  EXPECT_EQ(trusting.send("GET", "/").body, "secret");
  EXPECT_EQ(server.connections(), 1);
  TestClient mistrusting(server.url(), {.tls = *transport::tls_client_context({.authorities = other.chain})});
  const auto refused = mistrusting.send("PUT", "/", "{}");
  EXPECT_EQ(refused.kind, Kind::not_sent);
  EXPECT_THAT(refused.reason, HasSubstr("no TLS with localhost"));
  TestClient careless(server.url(), {.tls = *transport::tls_client_context({.verifies = false})});
  EXPECT_EQ(careless.send("GET", "/").body, "secret");
  TestClient plain(server.url());
  EXPECT_EQ(plain.send("GET", "/").reason, "TLS is not set up for https");
}

TEST(HttpClient, TheNameInTheCertificateIsVerified) {
  const support::ScratchDirectory directory;
  const auto files = gantry::testing::make_certificate(directory.path());
  ScriptedServer server([](const auto&) { return ScriptedServer::Reply{ScriptedServer::answer(200, "")}; }, files.chain,
                        files.key);
  TestClient client("https://127.0.0.2:" + std::to_string(server.port()),
                    {.tls = *transport::tls_client_context({.authorities = files.chain})});
  EXPECT_EQ(client.send("GET", "/").kind, Kind::not_sent);
}

TEST(HttpClient, FilesOfTlsThatCannotBeReadAreNamed) {
  const auto made = transport::tls_client_context({.authorities = "/nowhere/ca.pem"});
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("/nowhere/ca.pem"));
}

TEST(HttpAddress, ReadsUrlsOfEndpoints) {
  const auto address = parse_http_address("https://[::1]:8780/placement/");
  ASSERT_TRUE(address);
  EXPECT_EQ(*address, (HttpAddress{true, "::1", "8780", "/placement"}));
  EXPECT_EQ(address->host_header(), "[::1]:8780");
  EXPECT_EQ(parse_http_address("http://placement")->host_header(), "placement");
  for (const auto* const url : {"", "placement:8780", "ftp://a", "http://", "http://a?b=c", "http://a/#d"})
    EXPECT_FALSE(parse_http_address(url)) << url;
  const auto secret = parse_http_address("http://user:secret@placement/");
  ASSERT_FALSE(secret);
  EXPECT_THAT(secret.error().message, ::testing::Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace gantry::nova
