// SPDX-License-Identifier: Apache-2.0
#include "core/transport/api/openapi.hpp"

#include <gmock/gmock.h>

#include "core/scheduling/methods/method_table.hpp"
#include "core/transport/api/http_answer.hpp"
#include "core/transport/api/openapi_failures.hpp"
#include "core/transport/api/openapi_frame.hpp"
#include "core/transport/api/openapi_schema.hpp"

namespace gantry::transport {
namespace {

using scheduling::ArgumentType;
using scheduling::optional;
using scheduling::required;

TEST(OpenApiSchema, NamesTheRecordOfAResultOrAListOfRecords) {
  EXPECT_EQ(json::write(schema_of_result("Group")), R"({"$ref":"#/components/schemas/Group"})");
  EXPECT_EQ(json::write(schema_of_result("[Group]")),
            R"({"type":"array","items":{"$ref":"#/components/schemas/Group"}})");
}

TEST(OpenApiSchema, LetsAnArgumentThatIsNotRequiredBeNull) {
  EXPECT_EQ(json::write(schema_of_argument(optional("a", ArgumentType::text, "Any."))),
            R"({"type":["string","null"],"maxLength":255,"description":"Any."})");
  EXPECT_EQ(json::write(schema_of_argument(optional("a", ArgumentType::text, "Any.").one_of("up|down"))),
            R"({"anyOf":[{"type":"string","enum":["up","down"]},{"type":"null"}],"description":"Any."})");
  EXPECT_EQ(json::write(schema_of_argument(required("a", ArgumentType::text, "Any.", "up"))),
            R"({"type":"string","minLength":1,"maxLength":255,"description":"Any.","examples":["up"]})");
}

TEST(OpenApiSchema, SaysTheBoundsAndTheDefaultOfAnArgument) {
  const auto limit = optional("limit", ArgumentType::integer, "Most.").between(1, 9).otherwise("5");
  EXPECT_EQ(json::write(schema_of_argument(limit)),
            R"({"type":["integer","null"],"minimum":1,"maximum":9,"description":"Most.","default":5})");
  EXPECT_EQ(json::write(schema_of_parameter(limit)), R"({"type":"integer","minimum":1,"maximum":9,"default":5})");
}

TEST(OpenApiSchema, LetsATruthBeOneOfItsChoicesToo) {
  EXPECT_EQ(json::write(schema_of_parameter(optional("a", ArgumentType::truth, "Any.").one_of("hosts"))),
            R"({"anyOf":[{"type":"boolean"},{"type":"string","enum":["hosts"]}]})");
}

TEST(OpenApiDocument, NamesTheStatusOfEveryErrorCode) {
  const auto responses = failure_responses();
  for (int number = 0; number <= static_cast<int>(ErrorCode::internal); ++number) {
    const auto code = static_cast<ErrorCode>(number);
    const auto name = "Failure" + std::to_string(status_of(code));
    ASSERT_TRUE(responses.contains(name)) << name_of(code);
    EXPECT_THAT(json::write(responses.at(name)), testing::HasSubstr('"' + std::string(name_of(code)) + '"'));
  }
}

TEST(OpenApiDocument, HasASchemaOfEachRecordThatAMethodAnswersWith) {
  const auto frame = json::parse_object(openapi_frame());
  ASSERT_TRUE(frame) << frame.error().message;
  const auto& schemas = frame->at("components").at("schemas").as_object();
  for (const auto& method : scheduling::method_table()) {
    auto record = method.result;
    if (record.starts_with('[')) record = record.substr(1, record.size() - 2);
    EXPECT_TRUE(schemas.contains(record)) << method.name << ": no schema " << record;
  }
}

TEST(OpenApiDocument, LeavesOutMethodsThatHaveNoRow) {
  const auto* described = scheduling::find_method("status");
  const auto document = *json::parse_object(openapi_document({{"secret", true}, {"status", true, described}}));
  const auto& paths = document.at("paths").as_object();
  EXPECT_TRUE(paths.contains("/v1/status"));
  EXPECT_FALSE(paths.contains("/v1/secret"));
}

}  // namespace
}  // namespace gantry::transport
