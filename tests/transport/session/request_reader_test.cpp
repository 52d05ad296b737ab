// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/request_reader.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "tests/transport/raw_connection.hpp"

namespace gantry::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using transport::ConnectionToken;
using transport::HttpRequest;
using transport::RequestReader;
using Found = RequestReader::Found;

class RequestReaderTest : public ::testing::Test {
 protected:
  void add(std::string_view bytes) {
    const auto memory = reader_.prepare(bytes.size());
    std::copy(bytes.begin(), bytes.end(), memory.begin());
    reader_.commit(bytes.size());
  }

  // The next request of the input; its head is skipped.
  HttpRequest next_request() {
    EXPECT_EQ(reader_.next(), Found::head);
    EXPECT_EQ(reader_.next(), Found::request);
    return reader_.take_request();
  }

  // The status with which the bytes are refused. 0: they are not.
  unsigned refusal_of(std::string_view bytes) {
    reader_ = RequestReader(limits_);
    add(bytes);
    for (auto found = reader_.next(); found != Found::nothing; found = reader_.next()) {
      if (found == Found::refusal) return reader_.take_refusal().status;
      if (found == Found::request) reader_.take_request();
    }
    return 0;
  }

  RequestReader::Limits limits_{1024, 2048};
  RequestReader reader_{limits_};
};

TEST_F(RequestReaderTest, FindsNothingInNoBytes) {
  EXPECT_EQ(reader_.next(), Found::nothing);
  EXPECT_TRUE(reader_.is_empty());
  EXPECT_FALSE(reader_.is_within_request());
}

TEST_F(RequestReaderTest, ReadsARequestWithItsHeadersAndBody) {
  add("POST /v1/schedule?x=1 HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
      "X-Request-Id: one\r\nIdempotency-Key: two\r\nX-Timeout-Ms: 3\r\n\r\n{}");
  const auto request = next_request();
  EXPECT_EQ(request.verb, "POST");
  EXPECT_EQ(request.target, "/v1/schedule?x=1");
  EXPECT_EQ(request.content_type, "application/json");
  EXPECT_EQ(request.request_id, "one");
  EXPECT_EQ(request.idempotency_key, "two");
  EXPECT_EQ(request.timeout_ms, "3");
  EXPECT_EQ(request.body, "{}");
  EXPECT_TRUE(request.has_length);
  EXPECT_EQ(request.connection, ConnectionToken::none);
  EXPECT_TRUE(reader_.is_empty());
  EXPECT_EQ(reader_.next(), Found::nothing);
}

TEST_F(RequestReaderTest, ReadsTheRequestIdOfOpenstackWhereThereIsNoOther) {
  add(get("/", "X-Openstack-Request-Id: req-1\r\n"));
  EXPECT_EQ(next_request().request_id, "req-1");
}

TEST_F(RequestReaderTest, TellsTheHeadBeforeTheBodyHasArrived) {
  add("POST /v1/schedule HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer good\r\nContent-Length: 7\r\n\r\n");
  ASSERT_EQ(reader_.next(), Found::head);
  EXPECT_EQ(reader_.head().authorization, "Bearer good");
  EXPECT_EQ(reader_.head().request.target, "/v1/schedule");
  EXPECT_EQ(reader_.head().body_bytes, 7U);
  EXPECT_FALSE(reader_.head().is_complete);
  EXPECT_FALSE(reader_.head().expects_continue);
  EXPECT_TRUE(reader_.is_within_body());
  EXPECT_EQ(reader_.next(), Found::nothing);
  add("1234");
  EXPECT_EQ(reader_.next(), Found::nothing);
  add("567");
  ASSERT_EQ(reader_.next(), Found::request);
  EXPECT_EQ(reader_.take_request().body, "1234567");
  EXPECT_FALSE(reader_.is_within_body());
}

TEST_F(RequestReaderTest, TellsWhetherTheBodyArrivedWithTheHead) {
  add(post("schedule", "{}"));
  ASSERT_EQ(reader_.next(), Found::head);
  EXPECT_TRUE(reader_.head().is_complete);
}

TEST_F(RequestReaderTest, CountsAChunkedBodyAsTheLimit) {
  add("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
  ASSERT_EQ(reader_.next(), Found::head);
  EXPECT_EQ(reader_.head().body_bytes, limits_.body_bytes);
  EXPECT_TRUE(reader_.head().request.has_length);
  add("2\r\n{}\r\n0\r\nX-Trailer: 1\r\n\r\n");
  ASSERT_EQ(reader_.next(), Found::request);
  EXPECT_EQ(reader_.take_request().body, "{}");
}

TEST_F(RequestReaderTest, TellsThatAClientExpectsToBeInvited) {
  add("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n");
  ASSERT_EQ(reader_.next(), Found::head);
  EXPECT_TRUE(reader_.head().expects_continue);
  reader_ = RequestReader(limits_);
  add("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  ASSERT_EQ(reader_.next(), Found::head);
  EXPECT_FALSE(reader_.head().expects_continue) << "HTTP/1.0 has no 100 Continue";
}

TEST_F(RequestReaderTest, ReadsPipelinedRequestsInTheirOrder) {
  add(get("/1") + post("two", "{\"a\":1}") + get("/3"));
  EXPECT_EQ(next_request().target, "/1");
  EXPECT_EQ(next_request().body, "{\"a\":1}");
  EXPECT_FALSE(reader_.is_empty());
  EXPECT_EQ(next_request().target, "/3");
  EXPECT_TRUE(reader_.is_empty());
}

TEST_F(RequestReaderTest, ReadsTheSameFromBytesOneByOne) {
  const std::string all =
      "\r\n" + post("one", "{}") +
      "POST /v1/two HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nX: y\r\n\r\n" +
      get("/three");
  std::vector<std::string> found;
  for (const char byte : all) {
    add({&byte, 1});
    for (auto next = reader_.next(); next != Found::nothing; next = reader_.next()) {
      ASSERT_NE(next, Found::refusal);
      if (next != Found::request) continue;
      const auto request = reader_.take_request();
      found.push_back(request.target + " " + request.body);
    }
  }
  EXPECT_THAT(found, ElementsAre("/v1/one {}", "/v1/two abc", "/three "));
}

TEST_F(RequestReaderTest, SkipsEmptyLinesBeforeARequest) {
  add("\r\n\r\n");
  EXPECT_EQ(reader_.next(), Found::nothing);
  EXPECT_TRUE(reader_.is_empty());
  add("\r\n" + get("/livez"));
  EXPECT_EQ(next_request().target, "/livez");
}

TEST_F(RequestReaderTest, TellsWhatTheAnswerSaysAboutTheConnection) {
  add(get("/", "Connection: close\r\n"));
  EXPECT_EQ(next_request().connection, ConnectionToken::close);
  add("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(next_request().connection, ConnectionToken::close);
  add("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(next_request().connection, ConnectionToken::keep_alive);
}

TEST_F(RequestReaderTest, LimitsTheHeadAsAWhole) {
  EXPECT_EQ(refusal_of(get("/", "X: " + std::string(500, 'x') + "\r\n")), 0U);
  EXPECT_EQ(refusal_of(get("/", "X: " + std::string(1100, 'x') + "\r\n")), 431U);
  reader_ = RequestReader(limits_);
  add("GET / HTTP/1.1\r\nHost: h\r\n");
  auto found = reader_.next();
  for (int i = 0; i < 100 && found == Found::nothing; ++i) {
    add("A: 0123456789\r\n");
    found = reader_.next();
  }
  ASSERT_EQ(found, Found::refusal);
  const auto refusal = reader_.take_refusal();
  EXPECT_EQ(refusal.status, 431U);
  EXPECT_THAT(refusal.body, HasSubstr("at most 1024 bytes (server.max_header_bytes)"));
}

TEST_F(RequestReaderTest, LimitsTheBodyByItsAnnouncedLength) {
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2048\r\n\r\n"), 0U);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2049\r\n\r\n"), 413U);
}

TEST_F(RequestReaderTest, LimitsAChunkedBodyByTheBytesThatArrive) {
  const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(refusal_of(head + "400\r\n" + std::string(0x400, 'x') + "\r\n0\r\n\r\n"), 0U);
  EXPECT_EQ(refusal_of(head + "801\r\n"), 413U);
  EXPECT_EQ(refusal_of(head + "1;" + std::string(2000, 'a')), 431U);
}

TEST_F(RequestReaderTest, RefusesBytesThatAreNotHttp) {
  EXPECT_EQ(refusal_of("\x16\x03\x01\x02hello over TLS\r\n\r\n"), 400U);
  EXPECT_EQ(refusal_of("GET / HTTP/9.9\r\n\r\n"), 400U);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n"), 400U);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"), 400U);
}

TEST_F(RequestReaderTest, RefusesABrokenBodyBeforeItTellsTheHead) {
  add("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n");
  EXPECT_EQ(reader_.next(), Found::refusal);
}

TEST_F(RequestReaderTest, FindsNothingAfterARefusal) {
  add("nonsense\r\n\r\n" + get("/livez"));
  ASSERT_EQ(reader_.next(), Found::refusal);
  EXPECT_EQ(reader_.next(), Found::nothing);
  EXPECT_TRUE(reader_.is_empty());
}

TEST_F(RequestReaderTest, ForgetsARequestInPartWhenItsInputIsDiscarded) {
  add("GET /livez HT");
  EXPECT_EQ(reader_.next(), Found::nothing);
  EXPECT_TRUE(reader_.is_within_request());
  reader_.discard();
  EXPECT_TRUE(reader_.is_empty());
  EXPECT_FALSE(reader_.is_within_request());
}

TEST_F(RequestReaderTest, KeepsTheMemoryForAReadUnderWayWhenItsInputIsDiscarded) {
  add("GET /livez HT");
  const auto memory = reader_.prepare(100);
  reader_.discard();
  std::fill(memory.begin(), memory.end(), 'x');  // an address sanitizer would object
  EXPECT_TRUE(reader_.is_empty());
}

TEST_F(RequestReaderTest, GoesOnInAnotherReaderThatItIsMovedTo) {
  add(get("/1") + get("/2"));
  EXPECT_EQ(next_request().target, "/1");
  RequestReader moved = std::move(reader_);
  EXPECT_EQ(moved.next(), Found::head);
  EXPECT_EQ(moved.next(), Found::request);
  EXPECT_EQ(moved.take_request().target, "/2");
}

// Another reader finds the same request, wherever the bytes were cut.
TEST_F(RequestReaderTest, ARequestThatHasArrivedInPartGoesOnElsewhere) {
  constexpr std::string_view whole =
      "POST /v1/status?x=1 HTTP/1.1\r\nHost: a\r\nX-Request-Id: r1\r\nContent-Type: application/json\r\n"
      "Content-Length: 9\r\n\r\n{\"a\": 1}\n";
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    reader_ = RequestReader(limits_);
    add(whole.substr(0, cut));
    while (reader_.next() != Found::nothing) {
    }
    const auto unfinished = reader_.unfinished();
    ASSERT_TRUE(unfinished) << cut;
    reader_ = RequestReader(limits_);
    reader_.append(*unfinished);
    add(whole.substr(cut));
    const auto request = next_request();
    EXPECT_EQ(request.target, "/v1/status?x=1") << cut;
    EXPECT_EQ(request.request_id, "r1") << cut;
    EXPECT_EQ(request.body, "{\"a\": 1}\n") << cut;
  }
}

}  // namespace
}  // namespace gantry::testing
