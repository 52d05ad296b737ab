// SPDX-License-Identifier: Apache-2.0
#include "core/transport/api/openapi.hpp"

#include <gmock/gmock.h>

#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/methods/record_table.hpp"
#include "core/transport/api/http_answer.hpp"
#include "core/transport/api/openapi_answers.hpp"
#include "core/transport/api/openapi_schema.hpp"

namespace gantry::transport {
namespace {

struct Shape {
  const char* shape;
  const char* schema;
};

class Shapes : public ::testing::TestWithParam<Shape> {};

TEST_P(Shapes, AreSchemas) {
  EXPECT_EQ(json::write(schema_of_shape(GetParam().shape)), GetParam().schema);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Shapes,
    ::testing::Values(Shape{"text", R"({"type":"string"})"}, Shape{"truth", R"({"type":"boolean"})"},
                      Shape{"any", "{}"}, Shape{"time", R"({"type":"string","format":"date-time"})"},
                      Shape{"time?", R"({"type":["string","null"],"format":"date-time"})"},
                      Shape{"Group", R"({"$ref":"#/components/schemas/Group"})"},
                      Shape{"Group?", R"({"anyOf":[{"$ref":"#/components/schemas/Group"},{"type":"null"}]})"},
                      Shape{"'up'|'down'", R"({"type":"string","enum":["up","down"]})"},
                      Shape{"'up'", R"({"type":"string","enum":["up"]})"},
                      Shape{"[text]", R"({"type":"array","items":{"type":"string"}})"},
                      Shape{"{[integer]}",
                            R"({"type":"object","additionalProperties":{"type":"array","items":{"type":"integer"}}})"},
                      Shape{"[text|integer]|truth",
                            R"({"anyOf":[{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"integer"}]}},)"
                            R"({"type":"boolean"}]})"}));

TEST(OpenApiDocument, NamesTheStatusOfEveryErrorCode) {
  const auto responses = failure_responses();
  for (int number = 0; number <= static_cast<int>(ErrorCode::internal); ++number) {
    const auto code = static_cast<ErrorCode>(number);
    const auto name = "Failure" + std::to_string(status_of(code));
    ASSERT_TRUE(responses.contains(name)) << name_of(code);
    EXPECT_THAT(json::write(responses.at(name)), testing::HasSubstr('"' + std::string(name_of(code)) + '"'));
  }
}

TEST(OpenApiDocument, KnowsEveryRecordThatAShapeNames) {
  const auto records = record_schemas();
  const auto check = [&records](std::string_view shape) {
    const auto text = json::write(schema_of_shape(shape));
    constexpr std::string_view prefix = "#/components/schemas/";
    for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
      at += prefix.size();
      const auto name = text.substr(at, text.find('"', at) - at);
      EXPECT_TRUE(records.contains(name)) << shape << ": no record " << name;
    }
  };
  for (const auto& method : scheduling::method_table()) check(method.result);
  for (const auto& record : scheduling::record_table()) {
    for (const auto& member : record.members) check(member.shape);
  }
}

TEST(OpenApiDocument, LeavesOutMethodsThatNobodyDescribes) {
  const auto* described = scheduling::find_method("status");
  const auto document = *json::parse_object(openapi_document({{"secret", true}, {"status", true, described}}));
  const auto& paths = document.at("paths").as_object();
  EXPECT_TRUE(paths.contains("/v1/status"));
  EXPECT_FALSE(paths.contains("/v1/secret"));
}

}  // namespace
}  // namespace gantry::transport
