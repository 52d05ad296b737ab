// SPDX-License-Identifier: Apache-2.0
#include "core/cli/request/request_file.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace gantry::cli {
namespace {

using testing::HasSubstr;

std::string data(const std::string& name) {
  std::ifstream file(std::string(GANTRY_CLI_TEST_DATA) + "/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string refusal(std::string_view text, const std::string& message = "") {
  auto request = read_request(text, message, "file.json");
  EXPECT_FALSE(request);
  if (request) return "";
  EXPECT_EQ(request.error().code, ErrorCode::invalid_argument);
  return request.error().message;
}

TEST(RequestFile, TakesAMessageOfNovasRpc) {
  auto request = read_request(data("rpc_message.json"), "", "rpc_message.json");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_TRUE(request->args.contains("spec_obj"));
  EXPECT_FALSE(request->args.contains("request_spec")) << "null is as good as absent";
  EXPECT_EQ(json::find_bool(request->args, "return_objects"), true);
  EXPECT_EQ(json::find_array(request->args, "instance_uuids")->size(), 1u);
}

TEST(RequestFile, TakesTheRequestOfADecision) {
  const auto request = read_request(R"json({"id": 1, "outcome": "placed", "destinations": [], "project_id": "p1",
    "user_id": "u1", "instance_uuids": ["i1"], "request": {"num_instances": 1, "flavor": {"vcpus": 2},
    "security_groups": "(redacted)", "scheduler_hints": {}}})json",
                                    "", "file.json");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(json::find_array(request->args, "instance_uuids")->size(), 1U);
  const auto* spec = json::find_object(request->args, "request_spec");
  ASSERT_NE(spec, nullptr);
  EXPECT_TRUE(spec->contains("flavor"));
  EXPECT_TRUE(spec->contains("scheduler_hints"));
  EXPECT_FALSE(spec->contains("security_groups"));
  EXPECT_EQ(json::find_string(request->context, "project_id"), "p1");
}

TEST(RequestFile, RefusesADecisionThatDependsOnWhatIsNotShown) {
  EXPECT_EQ(
      refusal(R"json({"outcome": "placed", "destinations": [], "request": {"scheduler_hints": "(redacted)"}})json"),
      "file.json: is a decision with scheduler_hints, which are not shown: expected the request itself");
  EXPECT_EQ(refusal(R"json({"outcome": "placed", "destinations": []})json"),
            "file.json: is a decision without its request");
}

TEST(RequestFile, RefusesMessagesWithoutARequest) {
  const auto requests = read_requests(R"json({"messages": {}})json", "", "file.json");
  ASSERT_FALSE(requests);
  EXPECT_EQ(requests.error().message, "file.json: messages: expected at least one request, found none");
}

TEST(RequestFile, TakesTheContextWithoutItsToken) {
  auto request = read_request(data("rpc_message.json"), "", "rpc_message.json");
  ASSERT_TRUE(request);
  EXPECT_EQ(json::write_canonical(request->context), R"({"project_id":"p1","user_id":"u1"})");
}

TEST(RequestFile, RemovesTheEnvelopeOfTheBus) {
  const json::object envelope{{"oslo.version", "2.0"}, {"oslo.message", data("rpc_message.json")}};
  auto request = read_request(json::write(envelope), "", "file.json");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_TRUE(request->args.contains("spec_obj"));
}

TEST(RequestFile, TakesArgsAlone) {
  auto request = read_request(R"({"request_spec":{"num_instances":2},"filter_properties":{"a":1}})", "", "file.json");
  ASSERT_TRUE(request);
  EXPECT_EQ(json::write_canonical(request->args),
            R"({"filter_properties":{"a":1},"request_spec":{"num_instances":2}})");
}

TEST(RequestFile, TakesABareRequestSpec) {
  for (const char* text :
       {R"({"nova_object.name":"RequestSpec","nova_object.data":{}})", R"({"instance_type":{"vcpus":1}})"}) {
    auto request = read_request(text, "", "file.json");
    ASSERT_TRUE(request) << text;
    EXPECT_EQ(json::write(*json::find_object(request->args, "request_spec")), text);
  }
}

TEST(RequestFile, PicksOneOfSeveralMessages) {
  auto request = read_request(data("captured.json"), "first", "captured.json");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_TRUE(request->args.contains("request_spec"));
}

TEST(RequestFile, NamesTheMessagesThereAre) {
  EXPECT_THAT(refusal(data("captured.json")), HasSubstr("choose one with --message: first, fanout"));
  EXPECT_THAT(refusal(data("captured.json"), "nosuch"), HasSubstr("has no message \"nosuch\"; it holds first, fanout"));
  EXPECT_THAT(refusal(data("captured.json"), "frist"), HasSubstr("did you mean `first`"));
  EXPECT_THAT(refusal(data("rpc_message.json"), "first"), HasSubstr("leave out --message"));
}

TEST(RequestFile, RefusesMessagesForOtherMethods) {
  EXPECT_THAT(refusal(data("captured.json"), "fanout"), HasSubstr("is a message for update_aggregates"));
}

TEST(RequestFile, SaysWhereJsonBreaks) {
  EXPECT_THAT(refusal("{\"a\": "), testing::StartsWith("file.json: "));
  EXPECT_THAT(refusal("[1]"), testing::StartsWith("file.json: "));
  EXPECT_THAT(refusal(R"({"hosts": []})"), HasSubstr("expected request_spec, spec_obj or a RequestSpec, found hosts"));
}

}  // namespace
}  // namespace gantry::cli
