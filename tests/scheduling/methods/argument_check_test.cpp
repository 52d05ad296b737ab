// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/argument_check.hpp"

#include <gmock/gmock.h>

#include <set>

namespace gantry::scheduling {
namespace {

std::string refusal(std::string_view method, std::string_view args) {
  const auto checked = check_arguments(*find_method(method), *json::parse_object(args));
  return checked ? "" : checked.error().message;
}

struct Case {
  const char* name;
  const char* method;
  const char* args;
  const char* refusal;
};

class WrongArguments : public testing::TestWithParam<Case> {};

TEST_P(WrongArguments, AreRefusedNamingMethodArgumentExpectedAndFound) {
  EXPECT_EQ(refusal(GetParam().method, GetParam().args), GetParam().refusal);
}

INSTANTIATE_TEST_SUITE_P(
    Each, WrongArguments,
    testing::Values(
        Case{"None", "hosts_up", "{}", "hosts_up: argument 'topic': expected text, found none"},
        Case{"Null", "hosts_up", R"({"topic":null})", "hosts_up: argument 'topic': expected text, found none"},
        Case{"Empty", "hosts_up", R"({"topic":""})", "hosts_up: argument 'topic': expected text, found an empty text"},
        Case{"NotText", "hosts_up", R"({"topic":1})", "hosts_up: argument 'topic': expected text, found number"},
        Case{"NotTruth", "select_destinations", R"({"dry_run":"yes"})",
             "select_destinations: argument 'dry_run': expected true or false, found string"},
        Case{"NotOneOfMoreThanTruths", "select_destinations", R"({"explain":"host"})",
             "select_destinations: argument 'explain': expected true, false, hosts or all_filters, found 'host'"},
        Case{"NeitherTruthNorText", "select_destinations", R"({"explain":1})",
             "select_destinations: argument 'explain': expected true, false, hosts or all_filters, found number"},
        Case{"NotWhole", "receive_casts", R"({"topic":"t","limit":1.5})",
             "receive_casts: argument 'limit': expected a whole number, found number"},
        Case{"NotAnInteger", "receive_casts", R"({"topic":"t","limit":"many"})",
             "receive_casts: argument 'limit': expected a whole number, found string"},
        Case{"NotAnObject", "create_group", R"({"name":"n","policy":"affinity","rules":[]})",
             "create_group: argument 'rules': expected an object, found array"},
        Case{"NotAList", "receive_casts", R"({"topic":"t","hosts":"a"})",
             "receive_casts: argument 'hosts': expected a list of texts, found string"},
        Case{"ListOfOthers", "receive_casts", R"({"topic":"t","hosts":["a",7]})",
             "receive_casts: argument 'hosts': expected a list of texts, found number"},
        Case{"NotAHost", "show_host", R"({"name":["a"]})",
             "show_host: argument 'name': expected a host, or a pair [host, node], found array"},
        Case{"NotAnId", "show_aggregate", R"({"aggregate":1.5})",
             "show_aggregate: argument 'aggregate': expected an id or a name, found number"},
        Case{"NotATime", "update_resource_stats", R"({"name":"a","stats":{},"sampled_at":true})",
             "update_resource_stats: argument 'sampled_at': expected ISO 8601 such as \"2026-11-21T09:00:00Z\" or "
             "seconds since 1970, found boolean"},
        Case{"Misspelt", "hosts_up", R"({"topik":"compute"})",
             "hosts_up has no argument 'topik'; did you mean 'topic'?"}),
    [](const auto& each) { return each.param.name; });

TEST(ArgumentCheck, AcceptsTheExamplesAndDefaultsOfEveryMethod) {
  for (const auto& method : method_table()) {
    json::object args;
    for (const auto& argument : method.args) {
      for (const auto text : {argument.fallback, argument.example}) {
        if (text.empty()) continue;
        const bool plain = argument.type == ArgumentType::text && text == argument.example;
        args[argument.name] = plain ? json::value(text) : *json::parse(text);
      }
      EXPECT_TRUE(!argument.required || args.contains(argument.name)) << method.name << " " << argument.name;
    }
    const auto checked = check_arguments(method, args);
    EXPECT_TRUE(checked) << checked.error().message;
  }
}

TEST(ArgumentCheck, TakesNullForAnAbsentArgument) {
  EXPECT_EQ(refusal("list_hosts", R"({"topic":null,"host":null})"), "");
}

TEST(ArgumentCheck, AcceptsTheTextsOfAQuery) {
  EXPECT_EQ(refusal("receive_casts", R"({"topic":"t","host":"h","limit":"16"})"), "");
  EXPECT_EQ(refusal("force_down_service", R"({"topic":"t","host":"h","forced_down":"false"})"), "");
  EXPECT_EQ(refusal("show_aggregate", R"({"aggregate":"7"})"), "");
}

TEST(MethodTable, IsSortedAndNamesEachMethodAndArgumentOnce) {
  std::string_view last;
  for (const auto& method : method_table()) {
    EXPECT_LT(last, method.name);
    last = method.name;
    std::set<std::string_view> names;
    for (const auto& argument : method.args) EXPECT_TRUE(names.insert(argument.name).second) << argument.name;
    EXPECT_EQ(find_method(method.name), &method);
  }
  EXPECT_EQ(find_method("select_destination"), nullptr);
}

TEST(MethodTable, DescribesEveryMethodAndArgumentInASentence) {
  for (const auto& method : method_table()) {
    EXPECT_TRUE(method.summary.ends_with('.')) << method.name;
    for (const auto& argument : method.args) EXPECT_TRUE(argument.meaning.ends_with('.')) << argument.name;
  }
}

}  // namespace
}  // namespace gantry::scheduling
