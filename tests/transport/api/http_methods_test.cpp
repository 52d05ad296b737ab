// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/encoding/uuid.hpp"
#include "tests/transport/server_fixture.hpp"

namespace gantry::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

constexpr auto some_request_id = "req-0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0";

class HttpMethods : public ServerTest {
 protected:
  HttpMethods() { start(); }
};

TEST_F(HttpMethods, CarriesContextAndArgsToTheManagerAndItsResultBack) {
  const auto answer =
      ask(post("select_destinations", R"({"context":{"user_id":"u"},"args":{"request_spec":{"a":1}}})"));
  EXPECT_EQ(answer.status, 200);
  const auto result = result_of(answer);
  EXPECT_EQ(*json::find_string(result, "method"), "select_destinations");
  EXPECT_EQ(json::write(result.at("context")), R"({"user_id":"u"})");
  EXPECT_EQ(json::write(result.at("args")), R"({"request_spec":{"a":1}})");
}

TEST_F(HttpMethods, TakesAnEmptyBodyAsNoArguments) {
  const auto answer = ask("POST /v1/status HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(json::write(result_of(answer).at("args")), "{}");
}

TEST_F(HttpMethods, TakesAChunkedBody) {
  const auto answer = ask(
      "POST /v1/schedule HTTP/1.1\r\nHost: h\r\nContent-Type: application/json; charset=utf-8\r\nTransfer-Encoding: "
      "chunked\r\n\r\n"
      "9\r\n{\"args\":{\r\n8\r\n\"a\":12}}\r\n0\r\n\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(json::write(result_of(answer).at("args")), R"({"a":12})");
}

TEST_F(HttpMethods, TellsTheManagerWhoCalls) {
  const auto result = result_of(ask(post("status", "{}")));
  EXPECT_EQ(*json::find_string(result, "peer"),
            "unix uid=" + std::to_string(getuid()) + " pid=" + std::to_string(getpid()));
}

TEST_F(HttpMethods, ReadsArgumentsOfAReadingMethodFromTheQueryAsText) {
  const auto answer = ask(get("/v1/list_hosts?topic=my%20topic&host=a+b&count=3"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(json::write(result_of(answer).at("args")), R"({"topic":"my topic","host":"a b","count":"3"})");
}

TEST_F(HttpMethods, RefusesAMalformedQuery) {
  EXPECT_EQ(ask(get("/v1/list_hosts?topic=%zz")).status, 400);
  EXPECT_EQ(ask(get("/v1/list_hosts?topic=a&topic=b")).status, 400);
  EXPECT_EQ(ask("POST /v1/status?a=b HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n").status, 400);
}

TEST_F(HttpMethods, EchoesAnAcceptedRequestIdInBothHeadersAndTheBody) {
  const auto answer = ask(post("status", "{}", std::string("X-Openstack-Request-Id: ") + some_request_id + "\r\n"));
  EXPECT_EQ(answer.headers.at("x-request-id"), some_request_id);
  EXPECT_EQ(answer.headers.at("x-openstack-request-id"), some_request_id);
  EXPECT_EQ(*json::find_string(object_of(answer), "request_id"), some_request_id);
  EXPECT_EQ(*json::find_string(result_of(answer), "request_id"), some_request_id);
}

TEST_F(HttpMethods, TakesTheRequestIdOfTheContextIfNoHeaderHasOne) {
  const auto answer = ask(post("status", std::string(R"({"context":{"request_id":")") + some_request_id + R"("}})"));
  EXPECT_EQ(answer.headers.at("x-request-id"), some_request_id);
}

TEST_F(HttpMethods, MakesARequestIdWhereTheCallerGaveNoneOrAMalformedOne) {
  for (const std::string given : {"", "X-Request-Id: 42\r\n", "X-Request-Id: req-no-uuid\r\n"}) {
    const auto answer = ask(post("status", "{}", given));
    const auto made = answer.headers.at("x-request-id");
    EXPECT_TRUE(made.starts_with("req-") && parse_uuid(made.substr(4))) << made;
  }
}

TEST_F(HttpMethods, CarriesTheIdempotencyKey) {
  const auto result = result_of(ask(post("schedule", "{}", "Idempotency-Key: abc-1\r\n")));
  EXPECT_EQ(*json::find_string(result, "idempotency_key"), "abc-1");
  EXPECT_EQ(ask(post("schedule", "{}", "Idempotency-Key: " + std::string(256, 'k') + "\r\n")).status, 400);
}

TEST_F(HttpMethods, LetsACallerShortenTheDeadlineButNotLengthenIt) {
  const auto left = [this](const std::string& wanted) {
    return *json::find_integer(result_of(ask(post("schedule", "{}", "X-Timeout-Ms: " + wanted + "\r\n"))),
                               "time_left_ms");
  };
  EXPECT_LE(left("5000"), 5'000);
  EXPECT_LE(left("99000"), 30'000);
  EXPECT_GT(left("99000"), 5'000);
  const auto refused = ask(post("schedule", "{}", "X-Timeout-Ms: soon\r\n"));
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(error_of(refused, "message"), HasSubstr("X-Timeout-Ms"));
}

TEST_F(HttpMethods, AnswersEachErrorCodeWithItsStatusAndBody) {
  const std::map<std::string, int> statuses{
      {"invalid_argument", 400},  {"permission_denied", 403},     {"not_found", 404},
      {"unsupported", 404},       {"already_exists", 409},        {"failed_precondition", 409},
      {"no_valid_host", 409},     {"resource_exhausted", 503},    {"unavailable", 503},
      {"deadline_exceeded", 504}, {"invalid_configuration", 500}, {"internal", 500}};
  for (const auto& [code, status] : statuses) {
    const auto answer = ask(post("schedule", R"({"args":{"fake":{"error":")" + code +
                                                 R"(","message":"say \"why\"","details":{"steps":[1]}}}})"));
    EXPECT_EQ(answer.status, status) << code;
    EXPECT_EQ(error_of(answer, "code"), code);
    EXPECT_EQ(error_of(answer, "message"), "say \"why\"");
    EXPECT_EQ(error_of(answer, "request_id"), answer.headers.at("x-request-id"));
    EXPECT_EQ(json::write(object_of(answer).at("error").at("details")), R"({"steps":[1]})");
    EXPECT_EQ(answer.headers.count("retry-after"), answer.status == 503 ? 1U : 0U);
  }
}

TEST_F(HttpMethods, NamesTheNearestMethodForAnUnknownMethod) {
  const auto answer = ask(post("select_destination", "{}"));
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(error_of(answer, "code"), "unsupported");
  EXPECT_THAT(error_of(answer, "message"),
              HasSubstr("no method 'select_destination'; did you mean select_destinations?"));
}

TEST_F(HttpMethods, NamesTheKnownPathsForAnUnknownPath) {
  const auto answer = ask(get("/v2/status\x01\xff"));
  EXPECT_EQ(ask(get("/v2/status")).status, 404);
  EXPECT_THAT(error_of(ask(get("/v2/status")), "message"), HasSubstr("/v1/<method>"));
  EXPECT_TRUE(answer.status == 404 || answer.status == 400);
}

TEST_F(HttpMethods, RefusesAVerbThatDoesNotFit) {
  const auto answer = ask(get("/v1/select_destinations"));
  EXPECT_EQ(answer.status, 405);
  EXPECT_EQ(answer.headers.at("allow"), "POST");
  EXPECT_EQ(error_of(answer, "code"), "invalid_argument");
  EXPECT_EQ(ask("DELETE /v1/status HTTP/1.1\r\nHost: h\r\n\r\n").headers.at("allow"), "GET, POST");
  EXPECT_EQ(ask("POST /livez HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n").status, 405);
}

TEST_F(HttpMethods, RefusesABodyOfUnknownLength) {
  RawConnection connection = connect();
  connection.send("POST /v1/schedule HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n\r\n{\"args\":{}}");
  const auto answer = connection.answer();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 411);
  EXPECT_TRUE(connection.ended());
}

TEST_F(HttpMethods, RefusesAnotherContentType) {
  const auto answer =
      ask("POST /v1/schedule HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
          "2\r\n\r\n{}");
  EXPECT_EQ(answer.status, 415);
  EXPECT_THAT(error_of(answer, "message"), HasSubstr("application/x-www-form-urlencoded"));
  EXPECT_EQ(ask("POST /v1/schedule HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}").status, 415);
}

TEST_F(HttpMethods, SaysAtWhichByteJsonIsWrong) {
  const auto answer = ask(post("schedule", R"({"args":{]})"));
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(error_of(answer, "message"), MatchesRegex("request body: .*byte.*9.*"));
}

TEST_F(HttpMethods, RefusesABodyThatCouldNotBeReadAgainInsideOfACast) {
  const auto body = [](std::size_t levels) {  // the body, args and what is in it
    std::string text;
    for (std::size_t at = 2; at < levels; ++at) text += R"({"a":)";
    return R"({"args":)" + text + "{}" + std::string(levels - 2, '}') + "}";
  };
  EXPECT_EQ(ask(post("schedule", body(56))).status, 200);
  const auto refused = ask(post("schedule", body(57)));
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(error_of(refused, "message"), HasSubstr("nesting deeper than 56 levels"));
}

TEST_F(HttpMethods, RefusesABodyOfAnotherShape) {
  EXPECT_EQ(ask(post("schedule", "[]")).status, 400);
  EXPECT_THAT(error_of(ask(post("schedule", R"({"args":[]})")), "message"), HasSubstr("'args'"));
  EXPECT_THAT(error_of(ask(post("schedule", R"({"topic":"x"})")), "message"), HasSubstr("'topic'"));
  EXPECT_EQ(ask(post("schedule", R"({"args":null,"context":null})")).status, 200);
}

TEST_F(HttpMethods, DescribesTheService) {
  const auto document = object_of(ask(get("/")));
  EXPECT_EQ(*json::find_string(document, "name"), "gantry");
  EXPECT_EQ(json::write(document.at("api")), R"([{"id":"v1"}])");
  EXPECT_EQ(json::find_array(document, "methods")->size(), manager_.methods().size());
  EXPECT_TRUE(json::find_string(document, "version"));
}

TEST_F(HttpMethods, TellsItsHealth) {
  EXPECT_EQ(ask(get("/livez")).status, 200);
  EXPECT_EQ(ask(get("/readyz")).status, 200);
  RawConnection connection = connect();
  connection.send("HEAD /livez HTTP/1.1\r\nHost: h\r\n\r\n" + get("/livez"));
  EXPECT_EQ(connection.answer(false)->status, 200);
  EXPECT_EQ(connection.answer()->body, R"({"status":"ok"})");
}

}  // namespace
}  // namespace gantry::testing
