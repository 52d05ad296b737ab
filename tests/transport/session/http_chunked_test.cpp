// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <thread>

#include "tests/transport/server_fixture.hpp"

namespace gantry::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view chunked_head =
    "POST /v1/schedule HTTP/1.1\r\nHost: gantry\r\nContent-Type: application/json\r\nTransfer-Encoding: "
    "chunked\r\n\r\n";

std::string repeated(std::string_view piece, std::size_t size) {
  std::string text;
  while (text.size() < size) text += piece;
  return text;
}

class ChunkedRequests : public ServerTest {
 protected:
  // Sends four times as many bytes as are allowed, and no end.
  void expect_refused_unfinished(std::string_view begun, std::string_view piece) const {
    RawConnection connection = connect();
    connection.send(std::string(chunked_head).append(begun));
    for (int part = 0; part < 64; ++part) {
      if (!connection.send(repeated(piece, settings_.max_header_bytes / 16))) break;
    }
    const auto answer = connection.answer();
    ASSERT_TRUE(answer) << "it all piled up";
    EXPECT_EQ(answer->status, 431);
    EXPECT_EQ(answer->headers.at("connection"), "close");
    EXPECT_THAT(error_of(*answer, "message"), HasSubstr("at most 16384 bytes (server.max_header_bytes)"));
    EXPECT_TRUE(connection.ended());
  }
};

TEST_F(ChunkedRequests, RefusesAnEndlessChunkExtension) {
  start();
  expect_refused_unfinished("1;", "a");
  expect_refused_unfinished("2\r\n{}\r\n1;", "a");
}

TEST_F(ChunkedRequests, RefusesAnEndlessChunkSize) {
  start();
  expect_refused_unfinished("", "0");
}

TEST_F(ChunkedRequests, RefusesEndlessTrailers) {
  start();
  expect_refused_unfinished("2\r\n{}\r\n0\r\n", "A: b\r\n");
}

TEST_F(ChunkedRequests, RefusesAnEndlessTrailer) {
  start();
  expect_refused_unfinished("0\r\nA: ", "b");
}

TEST_F(ChunkedRequests, RefusesTooManyTrailersThoughAllComeAtOnce) {
  start();
  const std::string trailers = repeated("A: b\r\n", settings_.max_header_bytes);
  EXPECT_EQ(ask(std::string(chunked_head).append("2\r\n{}\r\n0\r\n").append(trailers).append("\r\n")).status, 431);
}

TEST_F(ChunkedRequests, TakesManyChunksWithAnExtensionEachAndATrailer) {
  start();
  const std::string text(100'000, 'x');
  std::string request = std::string(chunked_head) + "11;first=\"a b\"\r\n{\"args\":{\"text\":\"\r\n";
  for (std::size_t at = 0; at < text.size(); at += 10) request += "a;name=value\r\n" + text.substr(at, 10) + "\r\n";
  request += "3\r\n\"}}\r\n0;last\r\nX-Checksum: 1\r\n\r\n";
  RawConnection connection = connect();
  connection.send(request);
  const auto answer = connection.answer();
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->status, 200) << answer->body;
  const auto result = result_of(*answer);
  EXPECT_EQ(json::find_string(*json::find_object(result, "args"), "text").value_or(""), text);
}

TEST_F(ChunkedRequests, TakesAChunkThatIsLargerThanHeadersMayBe) {
  start();
  RawConnection connection = connect();
  connection.send(std::string(chunked_head) + "30d40\r\n{" + std::string(199'998, ' ') + "}\r\n0\r\n\r\n");
  EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 200);
}

TEST_F(ChunkedRequests, CountsNoBytesOfTheNextRequestAgainstAChunkedOne) {
  start();
  const std::string chunked = std::string(chunked_head) + "2;a=b\r\n{}\r\n0\r\nX-Checksum: 1\r\n\r\n";
  std::string all;
  for (int i = 0; i < 20; ++i) all += chunked + numbered(i, "\"" + std::string(20'000, 'x') + "\"");
  RawConnection connection = connect();
  std::thread sender([&connection, &all] { connection.send(all); });
  for (int i = 0; i < 40; ++i) EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 200) << i;
  sender.join();
}

}  // namespace
}  // namespace gantry::testing
