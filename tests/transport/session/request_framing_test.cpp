// SPDX-License-Identifier: Apache-2.0
//
// Requests that two recipients may read as different ones, after the classes that are known from proxies and servers:
// lengths, codings, chunks, lines, fields, hosts. Each is refused, in pieces of any size.
#include "core/transport/session/request_framing.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "core/transport/session/request_reader.hpp"
#include "tests/transport/server_fixture.hpp"

namespace gantry::testing {
namespace {

using ::testing::HasSubstr;
using transport::RequestReader;
using namespace std::string_literals;  // for bytes with a NUL

struct Case {
  const char* name;
  std::string bytes;
  unsigned status = 400;
};

// The next request, which must never be taken for one.
const std::string smuggled = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n";

std::string head(const std::string& fields) {
  return "POST /v1/status HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
}
std::string chunked(const std::string& body) {
  return head("Transfer-Encoding: chunked\r\n") + body;
}
std::string line(const std::string& first) {
  return first + "\r\nHost: h\r\n\r\n";
}
std::string with_host(const std::string& fields) {
  return "GET /livez HTTP/1.1\r\n" + fields + "\r\n";
}

std::vector<Case> of_lengths() {
  return {
      {"two lengths that differ", head("Content-Length: 0\r\nContent-Length: 36\r\n")},
      {"two lengths that are equal", head("Content-Length: 2\r\nContent-Length: 2\r\n") + "{}"},
      {"a list of lengths", head("Content-Length: 2, 2\r\n") + "{}"},
      {"a list of lengths that differ", head("Content-Length: 0, 36\r\n")},
      {"a length with a plus sign", head("Content-Length: +2\r\n") + "{}"},
      {"a length with a minus sign", head("Content-Length: -2\r\n") + "{}"},
      {"a hexadecimal length", head("Content-Length: 0x2\r\n") + "{}"},
      {"a length with leading zeros", head("Content-Length: 0036\r\n")},
      {"a length with a space in it", head("Content-Length: 3 6\r\n")},
      {"a length with letters", head("Content-Length: 2a\r\n") + "{}"},
      {"a length with a fraction", head("Content-Length: 2.0\r\n") + "{}"},
      {"an empty length", head("Content-Length:\r\n")},
      {"a length of 2^64", head("Content-Length: 18446744073709551616\r\n")},
      {"a length of 2^64 + 2", head("Content-Length: 18446744073709551618\r\n") + "{}"},
      {"a length behind a NUL", head("Content-Length: \0002\r\n"s) + "{}"},
      {"a length with a comma behind it", head("Content-Length: 2,\r\n") + "{}"},
      {"a length with a semicolon", head("Content-Length: 2;a\r\n") + "{}"},
      {"a negative zero", head("Content-Length: -0\r\n")},
      {"a length with other digits", head("Content-Length: \xd9\xa2\r\n") + "{}"},
      {"a length in quotes", head("Content-Length: \"2\"\r\n") + "{}"},
  };
}

std::vector<Case> of_codings() {
  const auto coding = [](const std::string& value) {
    return head("Transfer-Encoding: " + value + "\r\n") + "0\r\n\r\n";
  };
  return {
      {"a length before a coding", head("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n"},
      {"a coding before a length", head("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n") + "0\r\n\r\n"},
      {"identity with a length", head("Transfer-Encoding: identity\r\nContent-Length: 2\r\n") + "{}"},
      {"xchunked with a length", head("Transfer-Encoding: xchunked\r\nContent-Length: 2\r\n") + "{}"},
      {"a length before identity", head("Content-Length: 2\r\nTransfer-Encoding: identity\r\n") + "{}"},
      {"xchunked", coding("xchunked")},
      {"chunkedx", coding("chunkedx")},
      {"gzip alone", coding("gzip")},
      {"identity alone", coding("identity")},
      {"chunked that is not the last", coding("chunked, identity")},
      {"chunked before gzip", coding("chunked, gzip")},
      {"chunked twice in a list", coding("chunked, chunked")},
      {"chunked in two headers", head("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n"},
      {"another coding in a second header",
       head("Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n") + "0\r\n\r\n"},
      {"chunked in the second header", head("Transfer-Encoding: x\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n"},
      {"chunked with a parameter", coding("chunked;q=1")},
      {"chunked in quotes", coding("\"chunked\"")},
      {"chunked in single quotes", coding("'chunked'")},
      {"chunked behind a comma", coding(",chunked")},
      {"chunked before a comma", coding("chunked,")},
      {"no coding", coding("")},
      {"chunked behind a vertical tab", coding("\x0b"
                                               "chunked")},
      {"chunked before a form feed", coding("chunked\x0c")},
      {"chunked with a NUL", coding("chunked\0"s)},
      {"chunked behind a bare CR", coding("\rchunked")},
      {"chunked behind a bare LF", coding("\nchunked")},
      {"chunked with a Kelvin sign", coding("chun\xe2\x84\xaa"
                                            "ed")},
      {"a coding in HTTP/1.0", "POST /v1/status HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"a space before the colon", head("Transfer-Encoding : chunked\r\n") + "0\r\n\r\n"},
      {"a tab before the colon", head("Content-Length\t: 2\r\n") + "{}"},
      {"gzip under chunked", coding("gzip, chunked"), 501},
      {"two codings under chunked", coding("gzip ,\tdeflate, Chunked"), 501},
      {"an unknown coding under chunked", coding("x-y, chunked"), 501},
  };
}

std::vector<Case> of_chunks() {
  return {
      {"a chunk size with 0x", chunked("0x2\r\n{}\r\n0\r\n\r\n")},
      {"a chunk size with a plus sign", chunked("+2\r\n{}\r\n0\r\n\r\n")},
      {"a chunk size with a minus sign", chunked("-2\r\n{}\r\n0\r\n\r\n")},
      {"a chunk size behind a space", chunked(" 2\r\n{}\r\n0\r\n\r\n")},
      {"a chunk size before a space", chunked("2 \r\n{}\r\n0\r\n\r\n")},
      {"a chunk size before a tab", chunked("2\t\r\n{}\r\n0\r\n\r\n")},
      {"a chunk size with an underscore", chunked("0_2\r\n{}\r\n0\r\n\r\n")},
      {"a chunk size of 2^64 and more", chunked("10000000000000002\r\n{}\r\n0\r\n\r\n")},
      {"an empty chunk size", chunked("\r\n{}\r\n0\r\n\r\n")},
      {"a chunk size that is none", chunked("zz\r\n{}\r\n0\r\n\r\n")},
      {"a chunk size behind a NUL", chunked("\0002\r\n{}\r\n0\r\n\r\n"s)},
      {"a chunk size that ends with LF", chunked("2\n{}\r\n0\r\n\r\n")},
      {"a chunk size that ends with CR", chunked("2\r{}\r\n0\r\n\r\n")},
      {"a chunk size that ends with CR CR", chunked("2\r\r{}\r\n0\r\n\r\n")},
      {"a chunk that is longer than its size", chunked("2\r\n{}}\r\n0\r\n\r\n")},
      {"a chunk that ends with LF", chunked("2\r\n{}\n0\r\n\r\n")},
      {"a chunk without an end", chunked("2\r\n{}0\r\n\r\n")},
      {"an extension with a bare LF", chunked("2;a\nb\r\n{}\r\n0\r\n\r\n")},
      {"an extension that ends with LF", chunked("2;\n{}\r\n0\r\n\r\n")},
      {"a quoted extension with a bare LF", chunked("2;a=\"\n\"\r\n{}\r\n0\r\n\r\n")},
      {"a quoted extension with a bare CR", chunked("2;a=\"\r\"\r\n{}\r\n0\r\n\r\n")},
      {"a quoted extension with a NUL", chunked("2;a=\"\0\"\r\n{}\r\n0\r\n\r\n"s)},
      {"a quoted extension of the last chunk with a bare LF", chunked("2\r\n{}\r\n0;a=\"\n\"\r\n\r\n")},
      {"an extension without a name", chunked("2;=b\r\n{}\r\n0\r\n\r\n")},
      {"a last chunk that ends with LF", chunked("2\r\n{}\r\n0\n\n")},
      {"a trailer with a length", chunked("0\r\nContent-Length: 36\r\n\r\n")},
      {"a trailer with a coding", chunked("0\r\nTransfer-Encoding: chunked\r\n\r\n")},
      {"a trailer without a colon", chunked("0\r\nnothing\r\n\r\n")},
      {"a trailer with a bare LF", chunked("0\r\na: b\nc: d\r\n\r\n")},
  };
}

std::vector<Case> of_lines() {
  return {
      {"two spaces behind the verb", line("GET  /livez HTTP/1.1")},
      {"two spaces before the version", line("GET /livez  HTTP/1.1")},
      {"a tab in the request line", line("GET\t/livez HTTP/1.1")},
      {"a space before the verb", line(" GET /livez HTTP/1.1")},
      {"a space behind the version", line("GET /livez HTTP/1.1 ")},
      {"a space in the target", line("GET /li vez HTTP/1.1")},
      {"a NUL in the target", line("GET /li\0vez HTTP/1.1"s)},
      {"no version", line("GET /livez")},
      {"a version in lower case", line("GET /livez http/1.1")},
      {"a version of one digit", line("GET /livez HTTP/1")},
      {"a version of three digits", line("GET /livez HTTP/1.10")},
      {"the version HTTP/0.9", line("GET /livez HTTP/0.9")},
      {"the version HTTP/1.2", line("GET /livez HTTP/1.2")},
      {"the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
      {"a verb with a separator", line("GE(T /livez HTTP/1.1")},
      {"a request line that ends with LF", "GET /livez HTTP/1.1\nHost: h\r\n\r\n"},
      {"a request line that ends with CR", "GET /livez HTTP/1.1\rHost: h\r\n\r\n"},
      {"a bare LF before the request", "\nGET /livez HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"a bare CR before the request", "\rGET /livez HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"a header that ends with LF", with_host("Host: h\nX: 1\r\n")},
      {"a head that ends with LF", "GET /livez HTTP/1.1\r\nHost: h\n\n"},
      {"a bare CR in a value", with_host("Host: h\r\nX: a\rY: b\r\n")},
      {"a NUL in a value", with_host("Host: h\r\nX: a\0b\r\n"s)},
      {"a NUL in a name", with_host("Host: h\r\nX\0Y: a\r\n"s)},
      {"a header without a colon", with_host("Host: h\r\nnothing\r\n")},
      {"a header without a name", with_host("Host: h\r\n: a\r\n")},
      {"a name with a space", with_host("Host: h\r\nX Y: a\r\n")},
      {"a name with a separator", with_host("Host: h\r\nX(Y): a\r\n")},
      {"a name with a high byte", with_host("Host: h\r\nX\xa0: a\r\n")},
      {"a header behind a space", with_host(" X: a\r\nHost: h\r\n")},
      {"a folded value", with_host("Host: h\r\nX: a\r\n b\r\n")},
      {"a value folded with a tab", with_host("Host: h\r\nX: a\r\n\tb\r\n")},
      {"a value that begins in the next line", with_host("Host: h\r\nX:\r\n a\r\n")},
      {"a folded coding", head("Transfer-Encoding:\r\n chunked\r\n") + "0\r\n\r\n"},
      {"a folded last header", with_host("Host: h\r\nX: a\r\n \r\n")},
  };
}

std::vector<Case> of_fields() {
  const auto twice = [](const std::string& field) { return with_host("Host: h\r\n" + field + field); };
  return {
      {"no Host", with_host("")},
      {"two Hosts", with_host("Host: a\r\nHost: b\r\n")},
      {"two Hosts that are equal", with_host("Host: a\r\nHost: a\r\n")},
      {"two Hosts in HTTP/1.0", "GET /livez HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"},
      {"a Host with a list", with_host("Host: a, b\r\n")},
      {"a Host with a user", with_host("Host: a@b\r\n")},
      {"a Host with a path", with_host("Host: a/b\r\n")},
      {"a Host with a space", with_host("Host: a b\r\n")},
      {"a Host with a port that is none", with_host("Host: a:80x\r\n")},
      {"a Host with two ports", with_host("Host: a:80:81\r\n")},
      {"a Host with half an address", with_host("Host: [::1\r\n")},
      {"a Host with a high byte", with_host("Host: a\xff\r\n")},
      {"two tokens", twice("Authorization: Bearer a\r\n")},
      {"two content types", twice("Content-Type: application/json\r\n")},
      {"two content encodings", twice("Content-Encoding: identity\r\n")},
      {"two origins", twice("Origin: http://a\r\n")},
      {"two expectations", twice("Expect: 100-continue\r\n")},
      {"two idempotency keys", twice("Idempotency-Key: a\r\n")},
      {"two timeouts", twice("X-Timeout-Ms: 1\r\n")},
      {"names that differ in their case", with_host("Host: h\r\nhOST: h\r\n")},
  };
}

// "400" or the like; else the number of requests that were found.
std::string outcome_of(const std::string& bytes, std::size_t piece) {
  RequestReader reader({1024, 2048});
  int requests = 0;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.append(std::string_view(bytes).substr(at, piece));
    for (auto found = reader.next(); found != RequestReader::Found::nothing; found = reader.next()) {
      if (found == RequestReader::Found::refusal) return std::to_string(reader.take_refusal().status);
      if (found == RequestReader::Found::request) requests += reader.take_request().target.empty() ? 0 : 1;
    }
  }
  return std::to_string(requests) + " requests";
}

class Framing : public ::testing::TestWithParam<std::vector<Case> (*)()> {};

TEST_P(Framing, RefusesEachRequestThatMayBeReadOtherwise) {
  for (const auto& each : GetParam()()) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{4096}})
      EXPECT_EQ(outcome_of(each.bytes + smuggled, piece), std::to_string(each.status)) << each.name << ", by " << piece;
  }
}

INSTANTIATE_TEST_SUITE_P(Requests, Framing,
                         ::testing::Values(&of_lengths, &of_codings, &of_chunks, &of_lines, &of_fields));

TEST(FramingOfSoundRequests, TakesWhatTheStandardAllows) {
  for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{
           {"no value", with_host("Host:\r\nX:\r\n")},
           {"spaces around a value", with_host("Host: \t h \t\r\n")},
           {"an address", with_host("Host: [::1]:8774\r\n")},
           {"HTTP/1.0 without a host", "GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"},
           {"an empty line before the request", "\r\n\r\n" + with_host("Host: h\r\n")},
           {"high bytes in a value", with_host("Host: h\r\nX: \xc3\xa9\r\n")},
           {"lists in two headers", with_host("Host: h\r\nAccept: a\r\nAccept: b\r\n")},
           {"a length of zero", head("Content-Length: 0\r\n")},
           {"a body that begins like a folded line", head("Content-Length: 3\r\n") + " {}"},
           {"a coding in other letters", head("transfer-encoding:cHuNkEd\r\n") + "2\r\n{}\r\n0\r\n\r\n"},
           {"a chunk that begins like a folded line", chunked("3\r\n {}\r\n0\r\n\r\n")},
           {"extensions", chunked("2;a=b;c=\"d e\"\r\n{}\r\n0;last\r\n\r\n")},
           {"leading zeros of a chunk size", chunked("0002\r\n{}\r\n000\r\n\r\n")},
           {"trailers", chunked("2\r\n{}\r\n0\r\nA: b\r\nHost: i\r\n\r\n")}}) {
    for (std::size_t piece = 1; piece < bytes.size() + smuggled.size(); ++piece)
      EXPECT_EQ(outcome_of(bytes + smuggled, piece), "2 requests") << name << ", by " << piece;
  }
}

TEST(FramingOfSoundRequests, TakesNoTrailerForAHeader) {
  RequestReader reader({1024, 2048});
  reader.append(chunked("0\r\nAuthorization: Bearer admin\r\nIdempotency-Key: a\r\n\r\n"));
  ASSERT_EQ(reader.next(), RequestReader::Found::head);
  EXPECT_EQ(reader.head().authorization, "");
  EXPECT_EQ(reader.head().request.idempotency_key, "");
}

class AmbiguousRequests : public ServerTest {};

TEST_F(AmbiguousRequests, EndTheirConnection) {
  start();
  RawConnection connection = connect();
  connection.send(head("Transfer-Encoding: xchunked\r\n") + smuggled);
  const auto answer = connection.answer();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 400);
  EXPECT_THAT(error_of(*answer, "message"), HasSubstr("Transfer-Encoding: expected chunked alone, found 'xchunked'"));
  EXPECT_EQ(answer->headers.at("connection"), "close");
  EXPECT_TRUE(connection.ended());
  EXPECT_EQ(error_of(ask(head("Transfer-Encoding: gzip, chunked\r\n")), "code"), "unsupported");
}

}  // namespace
}  // namespace gantry::testing
