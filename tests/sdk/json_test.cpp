// SPDX-License-Identifier: Apache-2.0
//
// Tests the reader and writer of small JSON documents.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "gantry/driver/json.hpp"

namespace gantry {
namespace {

TEST(JsonReader, FindsMembersOfEachKind) {
  const json_value document(
      R"( {"name" : "a", "count": 3, "share":0.5, "up":true, "none":null, "in":{"x":[1,[2],{}]}} )");
  EXPECT_TRUE(document.is_object());
  EXPECT_EQ(document["name"].text(), "a");
  EXPECT_EQ(document["count"].integer(), 3);
  EXPECT_EQ(document["share"].real(), 0.5);
  EXPECT_EQ(document["up"].boolean(), true);
  EXPECT_TRUE(document["none"].is_null());
  EXPECT_EQ(document["in"]["x"].raw(), "[1,[2],{}]");
  EXPECT_FALSE(document["missing"]);
  EXPECT_FALSE(document["missing"]["deeper"]);
}

TEST(JsonReader, StepsThroughAnArray) {
  std::vector<std::string> parts;
  json_value(R"([1, "two", [3, 4], {"five": 5}])").for_each([&](json_value key, json_value value) {
    EXPECT_FALSE(key);
    parts.emplace_back(value.raw());
  });
  EXPECT_EQ(parts, (std::vector<std::string>{"1", "\"two\"", "[3, 4]", "{\"five\": 5}"}));
}

TEST(JsonReader, TellsKindsApart) {
  const json_value document(R"({"text":"1","number":1,"truth":true})");
  EXPECT_EQ(document["text"].integer(), std::nullopt);
  EXPECT_EQ(document["number"].text(), std::nullopt);
  EXPECT_EQ(document["truth"].real(), std::nullopt);
  EXPECT_EQ(document["number"].boolean(), std::nullopt);
  EXPECT_FALSE(document["text"]["member"]);
}

TEST(JsonReader, DecodesEscapes) {
  EXPECT_EQ(json_value(R"("a\"b\\c\/d\n\t\u0041\u00e9\u20ac\ud83d\ude00")").text(),
            "a\"b\\c/d\n\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(json_value(R"("\ud83d")").text(), "\xef\xbf\xbd");
  EXPECT_EQ(json_value(R"("\u0000")").text(), std::string(1, '\0'));
  EXPECT_EQ(json_value(R"({"\u0061":1})")["a"].integer(), 1);
}

TEST(JsonReader, ReadsWholeNumbersOf64Bits) {
  EXPECT_EQ(json_value("9223372036854775807").integer(), INT64_MAX);
  EXPECT_EQ(json_value("-9223372036854775808").integer(), INT64_MIN);
  EXPECT_EQ(json_value("9223372036854775808").integer(), std::nullopt);
  EXPECT_EQ(json_value("99999999999999999999999").integer(), std::nullopt);
  EXPECT_EQ(json_value("2.0").integer(), 2);
  EXPECT_EQ(json_value("2.5").integer(), std::nullopt);
  EXPECT_EQ(json_value("1e3").integer(), 1000);
  EXPECT_EQ(json_value("-").integer(), std::nullopt);
  EXPECT_EQ(json_value("1e400").integer(), std::nullopt);
}

TEST(JsonReader, FindsNothingInTextThatIsNoJson) {
  for (const char* text :
       {"", " ", "}", "{", "[", "{\"a\"", "{\"a\":", "{\"a\" 1}", "{1:2}", "\"a", "\"\\", ":", ","}) {
    const json_value document(text);
    EXPECT_FALSE(document["a"]) << text;
    EXPECT_EQ(document.text(), std::nullopt) << text;
    EXPECT_EQ(document.real(), std::nullopt) << text;
  }
}

// Returns a document of any shape.
void write_any(json_writer& to, std::mt19937& random, int depth) {
  const auto kind = random() % (depth > 0 ? 7 : 5);
  if (kind == 0) to.null();
  if (kind == 1) to.boolean(random() % 2 == 0);
  if (kind == 2) to.integer(static_cast<std::int64_t>(random()) - (INT64_C(1) << 31));
  if (kind == 3) to.real(static_cast<double>(random()) / 7);
  if (kind == 4) to.text(std::string(random() % 5, static_cast<char>(random() % 128)));
  if (kind < 5) return;
  to.open(kind == 5 ? '[' : '{');
  for (auto left = random() % 4; left > 0; --left) {
    if (kind == 6) to.key("k\"ey");
    write_any(to, random, depth - 1);
  }
  to.close(kind == 5 ? ']' : '}');
}

void write_again(json_writer& to, json_value value) {
  if (const auto text = value.text()) {
    to.text(*text);
  } else if (value.is_object() || value.is_array()) {
    to.open(value.is_object() ? '{' : '[');
    value.for_each([&](json_value key, json_value member) {
      if (key) to.key(key.text()->c_str());
      write_again(to, member);
    });
    to.close(value.is_object() ? '}' : ']');
  } else {
    to.raw(value.raw());
  }
}

TEST(JsonDocuments, AreTheSameWhenReadAndWrittenAgain) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    json_writer first;
    write_any(first, random, 4);
    json_writer second;
    write_again(second, json_value(first.text()));
    ASSERT_EQ(first.text(), second.text());
  }
}

TEST(JsonDocuments, AreNeverReadBehindTheirEnd) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    json_writer whole;
    write_any(whole, random, 4);
    std::string torn(whole.text());
    torn.resize(random() % (torn.size() + 1));
    if (!torn.empty()) torn[random() % torn.size()] = "{}[]\",:\\u0"[random() % 10];
    const std::vector<char> exact(torn.begin(), torn.end());  // exactly the text, for the address sanitizer
    const json_value document(std::string_view(exact.data(), exact.size()));
    json_writer again;
    write_again(again, document);
    EXPECT_FALSE(document["no such member"]);
  }
}

TEST(JsonWriter, EscapesTextsAndPutsCommas) {
  json_writer made;
  made.open('{').key("a\"b").text("line\nnext\\").key("list").open('[').integer(1).real(0.5).null().close(']');
  made.key("up").boolean(true).close('}');
  EXPECT_EQ(made.text(), R"({"a\"b":"line\u000anext\\","list":[1,0.5,null],"up":true})");
}

TEST(JsonWriter, WritesNumbersThatReadTheSame) {
  for (const double number : {0.1, 1e300, -2.5e-300, 123456789.123}) {
    json_writer made;
    made.real(number);
    EXPECT_EQ(json_value(made.text()).real(), number);
  }
  json_writer infinite;
  infinite.real(1e308 * 10);
  EXPECT_EQ(infinite.text(), "null");
}

TEST(JsonWriter, GivesNoDocumentThatItsMemoryDoesNotHold) {
  char memory[8];
  gantry_json_writer small = gantry_json_begin(memory, sizeof(memory));
  gantry_json_write_text(&small, raw("123456"));
  EXPECT_EQ(text(gantry_json_end(&small)), "\"123456\"");
  gantry_json_writer full = gantry_json_begin(memory, sizeof(memory));
  gantry_json_write_text(&full, raw("1234567"));
  EXPECT_EQ(text(gantry_json_end(&full)), "");
  EXPECT_EQ(full.size, 9u);
}

}  // namespace
}  // namespace gantry
