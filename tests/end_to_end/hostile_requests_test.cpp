// SPDX-License-Identifier: Apache-2.0
//
// Requests that are too large, malformed, or meant to be taken for two.
#include <optional>
#include <thread>

#include "tests/end_to_end/hostile_fixture.hpp"

namespace gantry::test {
namespace {

using gantry::testing::get;
using gantry::testing::post;
using ::testing::AnyOf;

class HostileRequests : public HostileClients {
 protected:
  // The status of what bytes get that end with a request of its own, "GET /livez": that one must never be answered.
  int status_of_smuggler(const std::string& bytes) const {
    auto connection = tcp();
    connection.send(bytes);
    const auto answer = connection.answer();
    EXPECT_TRUE(connection.ended()) << "a second answer to: " << bytes;
    return answer ? answer->status : 0;
  }
};

std::string args(const std::string& value) {
  return R"({"args":{"request_spec":)" + value + "}}";
}

TEST_F(HostileRequests, HugeBodiesAreRefusedAndManyLargeOnesTakeABoundedAmount) {
  serve();
  EXPECT_EQ(status_of(local(), post("select_destinations", std::string(9 << 20, ' '))), 413);
  EXPECT_EQ(status_of(tcp(), "POST /v1/select_destinations HTTP/1.1\r\nHost: h\r\n" + bearer() +
                                 "Content-Type: application/json\r\nContent-Length: 99999999999999\r\n\r\n"),
            413);
  std::string chunks =
      "POST /v1/select_destinations HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
      "Transfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 9; ++i) chunks += "100000\r\n" + std::string(0x100000, ' ') + "\r\n";
  EXPECT_EQ(status_of(local(), chunks + "0\r\n\r\n"), 413);

  std::string zeros = "[0";
  for (int i = 0; i < 1'000'000; ++i) zeros += ",0";
  const auto large = post("select_destinations", args(zeros + "]"));
  long after_first = 0;
  for (int round = 0; round < 2; ++round) {
    std::vector<RawConnection> senders;
    for (int i = 0; i < 6; ++i) {
      senders.push_back(local());
      senders.back().send(std::string_view(large).substr(0, large.size() - 1));
    }
    expect_service();
    for (auto& sender : senders) sender.send(std::string_view(large).substr(large.size() - 1));
    for (auto& sender : senders) EXPECT_EQ(sender.answer().value_or(RawAnswer{}).status, 400);
    if (round == 0) after_first = memory("VmRSS");
  }
  EXPECT_LT(memory("VmHWM"), 600) << "MiB";
  EXPECT_LT(memory("VmRSS"), after_first + 100) << "MiB";
  expect_as_before();
}

TEST_F(HostileRequests, BodiesThatAreNoSoundJsonAreRefusedOneByOne) {
  serve();
  std::optional<RawConnection> connection(local());
  const std::string deep(60'000, '[');
  std::string objects;
  for (int i = 0; i < 5'000; ++i) objects += R"({"a":)";
  for (const std::string& body : {args(deep),
                                  args(deep + std::string(60'000, ']')),
                                  args(objects),
                                  args("NaN"),
                                  args("-NaN"),
                                  args("Infinity"),
                                  args("-Infinity"),
                                  args("1e999"),
                                  args("-1e999"),
                                  args("01"),
                                  args("+1"),
                                  args("0x10"),
                                  args(".5"),
                                  args("1."),
                                  args("\"\xff\xfe\""),
                                  args("\"\xc0\xaf\""),
                                  args("\"\xed\xa0\x80\""),
                                  args("\"\xf4\x90\x80\x80\""),
                                  args(R"("\ud800")"),
                                  args(R"("\u12")"),
                                  args(std::string("\"a\0b\"", 5)),
                                  args(std::string("\0", 1)),
                                  args("\"\x01\""),
                                  args(R"({"a":1,"a":2})"),
                                  args(R"({"a":1,"\u0061":2})"),
                                  args("{}") + "x",
                                  std::string("\xef\xbb\xbf{}"),
                                  std::string("{}\0", 3),
                                  std::string("[]"),
                                  std::string("null"),
                                  std::string("{"),
                                  std::string("{}{}"),
                                  std::string("/*c*/{}"),
                                  std::string("{'args':{}}"),
                                  std::string(R"({"args":{},})"),
                                  std::string(R"({"args":[]})"),
                                  std::string(R"({"args":{},"args":{}})"),
                                  std::string(R"({"method":"x"})")}) {
    ASSERT_TRUE(connection->send(post("select_destinations", body)));
    const auto answer = connection->answer();
    ASSERT_TRUE(answer) << body.substr(0, 100);
    EXPECT_EQ(answer->status, 400) << body.substr(0, 100);
    EXPECT_TRUE(json::parse(answer->body)) << answer->body;
    if (answer->headers.contains("connection")) connection.emplace(local());  // with the last of many refusals it ends
  }
  connection->send(get("/v1/hosts_up?topic=compute"));
  EXPECT_EQ(connection->answer().value_or(RawAnswer{}).status, 200);
  connection.reset();
  expect_as_before();
}

TEST_F(HostileRequests, HeadersBeyondAllMeasureAreRefused) {
  serve();
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "a:b\r\n";
  EXPECT_EQ(status_of(local(), get("/livez", many)), 431);
  EXPECT_EQ(status_of(tcp(), get("/livez", many)), 431);
  EXPECT_EQ(status_of(tcp(), get("/livez", "X-Long: " + std::string(1 << 20, 'x') + "\r\n")), 431);
  EXPECT_EQ(status_of(tcp(), get("/" + std::string(1 << 20, 'x'))), 431);
  for (const std::string& value :
       {std::string("a\0b", 3), std::string("a\x01z"), std::string("a\x7fz"), std::string("a\rb")})
    EXPECT_EQ(status_of(tcp(), get("/livez", "X-Odd: " + value + "\r\n")), 400);
  for (const std::string& line : {std::string("Bad Name: x"), std::string(": x"), std::string("noColon"),
                                  std::string("X\x01: y"), std::string("X : y")})
    EXPECT_EQ(status_of(tcp(), get("/livez", line + "\r\n")), 400) << line;
  EXPECT_EQ(status_of(local(),
                      get("/v1/hosts_up?topic=compute", "Authorization: Bearer " + std::string(9'000, 'x') + "\r\n")),
            401);
  EXPECT_EQ(status_of(local(), post("delete_group", "{}", "Idempotency-Key: " + std::string(9'000, 'k') + "\r\n")),
            400);
  EXPECT_EQ(status_of(local(), post("delete_group", "{}", "X-Timeout-Ms: 99999999999999999999\r\n")), 400);
  expect_as_before();
}

TEST_F(HostileRequests, NoRequestIsTakenForTwo) {
  serve();
  const std::string head =
      "POST /v1/select_destinations HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n" + bearer();
  const std::string second = "GET /livez HTTP/1.1\r\nHost: h\r\n\r\n";
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  const auto length = [](const std::string& value) { return "Content-Length: " + value + "\r\n"; };
  const std::string end_of_chunks = "\r\n0\r\n\r\n";
  for (const std::string& bytes : {
           head + length("4") + chunked + end_of_chunks + second,
           head + chunked + length("4") + end_of_chunks + second,
           head + length("2") + length("40") + "\r\n{}" + second,
           head + length("2, 40") + "\r\n{}" + second,
           head + length("+2") + "\r\n{}" + second,
           head + length("0x2") + "\r\n{}" + second,
           head + length("-1") + "\r\n{}" + second,
           head + length("18446744073709551618") + "\r\n{}" + second,
           head + "Content-Length : 2\r\n\r\n{}" + second,
           head + "Transfer-Encoding : chunked\r\n" + end_of_chunks + second,
           head + "Transfer-Encoding: xchunked\r\n" + end_of_chunks + second,
           head + "Transfer-Encoding: chunked, identity\r\n" + end_of_chunks + second,
           head + chunked + chunked + end_of_chunks + second,
           head + chunked + "\r\n10000000000000002\r\n{}\r\n0\r\n\r\n" + second,
           head + chunked + "\r\nffffffffffffffff\r\n{}\r\n0\r\n\r\n" + second,
           head + chunked + "\r\n-2\r\n{}\r\n0\r\n\r\n" + second,
           head + chunked + "\r\n0x2\r\n{}\r\n0\r\n\r\n" + second,
           head + chunked + "\r\n2 \n{}\r\n0\r\n\r\n" + second,
           head + chunked + "\r\n2\r\n{}x0\r\n\r\n" + second,
           std::string("GET /livez HTTP/1.1\nHost: h\n\n") + second,
           std::string("GET /livez HTTP/1.1\r\nHost: h\n\n") + second,
           std::string("GET  /livez HTTP/1.1\r\nHost: h\r\n\r\n") + second,
           std::string("GET /livez HTTP/2.0\r\nHost: h\r\n\r\n") + second,
           std::string("GET /livez\r\n\r\n") + second,
           std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") + second,
       }) {
    EXPECT_THAT(status_of_smuggler(bytes), AnyOf(400, 411, 413)) << bytes;
  }
  expect_as_before();
}

TEST_F(HostileRequests, UnknownVerbsAndAbsurdTargetsAreRefused) {
  serve();
  for (const char* const verb : {"DELETE", "PUT", "TRACE", "OPTIONS", "CONNECT", "BREW", "get", "G"})
    EXPECT_THAT(status_of(local(), std::string(verb) + " /v1/hosts_up HTTP/1.1\r\nHost: h\r\n\r\n"), AnyOf(400, 405))
        << verb;
  for (const char* const target :
       {"*", "//", "/..", "/../../../../etc/passwd", "/v1/../../etc/passwd", "/v1/%2e%2e/x", "/v1/%00", "/v1/", "/v1//",
        "/v1/hosts_up/", "/v1/hosts_up%20", "http://elsewhere/livez", "/livez/", "/LIVEZ", "/v2/hosts_up"})
    EXPECT_THAT(status_of(local(), get(target)), AnyOf(400, 404)) << target;
  for (const char* const query : {"?", "?=", "?&&&", "?topic", "?topic=%", "?topic=%zz", "?topic=a&topic=b", "?%00=1",
                                  "?topic=%ff%fe", "?nothing=1"})
    EXPECT_EQ(status_of(local(), get(std::string("/v1/hosts_up") + query)), 400) << query;
  EXPECT_EQ(status_of(local(), get("/v1/" + std::string(15'000, 'm'))), 404);
  std::string pairs = "/v1/hosts_up?topic=compute";
  for (int i = 0; i < 2'000; ++i) pairs += "&k" + std::to_string(i);
  EXPECT_EQ(status_of(local(), get(pairs)), 400);
  expect_as_before();
}

TEST_F(HostileRequests, AFloodSentAheadIsAnsweredInItsOrder) {
  serve();
  constexpr int requests = 3'000;
  for (const bool over_tcp : {false, true}) {
    auto connection = over_tcp ? tcp() : local();
    std::string flood;
    for (int i = 0; i < requests; ++i)
      flood += get(i % 3 == 0 ? "/v1/hosts_up?topic=compute" : i % 3 == 1 ? "/livez" : "/v1/nothing", bearer());
    std::thread sender([&] { connection.send(flood); });
    int wrong = 0;
    for (int i = 0; i < requests; ++i)
      wrong += connection.answer().value_or(RawAnswer{}).status == (i % 3 == 2 ? 404 : 200) ? 0 : 1;
    sender.join();
    EXPECT_EQ(wrong, 0);
  }
  expect_as_before();
}

}  // namespace
}  // namespace gantry::test
