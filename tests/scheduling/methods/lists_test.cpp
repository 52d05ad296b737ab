// SPDX-License-Identifier: Apache-2.0
//
// Pages and filters of every list.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/encoding/name_path.hpp"
#include "core/scheduling/methods/list_page.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Listed {
  const char* method;
  std::vector<const char*> id;  // the members that make an item's id
};

class Lists : public ::testing::Test {
 protected:
  Lists() {
    for (const auto* host : {"a", "b/1", "c", "d"}) manager.add_host(host, 8);
    manager.result("update_resource_stats", R"({"name":["d","n2"],"stats":{"vcpus":8}})");
    manager.result("service_register", R"({"topic":"volume","host":"a"})");
    for (const char digit : {'1', '2', '3', '4'}) {
      const auto uuid = std::string("0d0d0d0d-0000-4000-8000-00000000000") + digit;
      manager.result("schedule_run_instance", R"({"request_spec":{"instance_uuids":[")" + uuid +
                                                  R"("],"instance_type":{"vcpus":1},)" +
                                                  R"("instance_properties":{"display_name":"web-)" + digit + R"("}}})");
      manager.result("create_aggregate", R"({"name":"rack-)" + std::string(1, digit) + R"("})");
      manager.result("create_group", R"({"name":"g)" + std::string(1, digit) + R"(","policy":")" +
                                         (digit == '1' ? "affinity" : "anti-affinity") + R"("})");
    }
  }
  json::array list(const std::string& method, const std::string& args = "{}") {
    return manager.result(method, args).as_array();
  }
  std::vector<std::string> values(const std::string& method, const std::string& args, const char* member) {
    std::vector<std::string> found;
    for (const auto& item : list(method, args)) found.emplace_back(item.at(member).as_string());
    return found;
  }
  RunningManager manager{"simple"};
};

class EveryList : public Lists, public ::testing::WithParamInterface<Listed> {
 protected:
  static std::string id_of(const json::object& item) {
    std::vector<std::string> names;
    for (const auto* member : GetParam().id) {
      const auto* value = json::find(item, member);
      names.emplace_back(value == nullptr     ? ""
                         : value->is_string() ? std::string(value->get_string())
                                              : json::write(*value));
    }
    while (names.size() > 1 && names.back().empty()) names.pop_back();
    const std::vector<std::string_view> views(names.begin(), names.end());
    return join_names(views);
  }
};

TEST_P(EveryList, ReturnsTheSameInPagesAsInOneAnswer) {
  const auto whole = list(GetParam().method);
  ASSERT_GE(whole.size(), 1U);
  json::array pages;
  json::object args{{"limit", 2}};
  for (;;) {
    const auto page = list(GetParam().method, json::write(args));
    ASSERT_LE(page.size(), 2U);
    for (const auto& item : page) pages.push_back(item);
    if (page.size() < 2) break;
    args["marker"] = id_of(page.back().as_object());
  }
  ASSERT_EQ(pages.size(), whole.size());
  for (std::size_t at = 0; at < whole.size(); ++at)
    EXPECT_EQ(id_of(pages[at].as_object()), id_of(whole[at].as_object()));
}

TEST_P(EveryList, RefusesAnUnknownMarkerAndAWrongLimit) {
  const auto refused = manager.call(GetParam().method, R"({"marker":"nobody"})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(refused.error().message, HasSubstr("'nobody'"));
  for (const auto* limit : {"0", "-1", "10001", "\"many\""}) {
    const auto wrong = manager.call(GetParam().method, R"({"limit":)" + std::string(limit) + "}");
    ASSERT_FALSE(wrong) << limit;
    EXPECT_THAT(wrong.error().message, HasSubstr("'limit'"));
  }
}

INSTANTIATE_TEST_SUITE_P(Each, EveryList,
                         ::testing::Values(Listed{"list_hosts", {"host", "hypervisor_hostname"}},
                                           Listed{"list_services", {"topic", "host"}},
                                           Listed{"list_aggregates", {"id"}}, Listed{"list_groups", {"uuid"}},
                                           Listed{"list_instances", {"uuid"}},
                                           Listed{"list_claims", {"consumer", "topic", "host", "node"}},
                                           Listed{"list_casts", {"id"}}, Listed{"list_drivers", {"id"}}),
                         [](const auto& listed) { return std::string(listed.param.method); });

TEST_F(Lists, FilterHostsByTheirMembers) {
  manager.result("disable_service", R"({"topic":"compute","host":"c"})");
  manager.result("create_aggregate", R"({"name":"fast","availability_zone":"north"})");
  manager.result("add_aggregate_host", R"({"aggregate":"fast","host":"a","force":true})");
  EXPECT_THAT(values("list_hosts", R"({"state":"disabled"})", "host"), ElementsAre("c"));
  EXPECT_THAT(values("list_hosts", R"({"aggregate":"fast"})", "host"), ElementsAre("a"));
  EXPECT_THAT(values("list_hosts", R"({"availability_zone":"north"})", "host"), ElementsAre("a"));
  EXPECT_THAT(values("list_hosts", R"({"host":"d"})", "host"), ElementsAre("d", "d"));
  EXPECT_THAT(values("list_hosts", R"({"topic":"volume"})", "host"), ElementsAre("a"));
  EXPECT_THAT(manager.call("list_hosts", R"({"state":"dead"})").error().message,
              HasSubstr("up, down, disabled, forced_down, found 'dead'"));
}

TEST_F(Lists, FilterServicesInstancesAndGroups) {
  manager.result("disable_service", R"({"topic":"compute","host":"c"})");
  EXPECT_THAT(values("list_services", R"({"status":"disabled"})", "host"), ElementsAre("c"));
  EXPECT_THAT(values("list_services", R"({"topic":"volume","state":"up"})", "host"), ElementsAre("a"));
  EXPECT_TRUE(list("list_services", R"({"state":"down"})").empty());
  EXPECT_THAT(values("list_instances", R"({"name":"web-3"})", "name"), ElementsAre("web-3"));
  EXPECT_TRUE(list("list_instances", R"({"vm_state":"error"})").empty());
  EXPECT_THAT(values("list_groups", R"({"policy":"affinity"})", "name"), ElementsAre("g1"));
}

TEST_F(Lists, AcceptAMarkerThatTheFiltersExclude) {
  manager.result("disable_service", R"({"topic":"compute","host":"b/1"})");
  EXPECT_THAT(values("list_services", R"({"status":"enabled","topic":"compute","marker":"compute/b%2F1"})", "host"),
              ElementsAre("c", "d"));
}

TEST_F(Lists, ShowForWhomACastWaitsAndSinceWhen) {
  const std::string third = R"("0d0d0d0d-0000-4000-8000-000000000003")";
  auto waiting = list("list_casts", R"({"instance":)" + third + "}");
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_EQ(waiting[0].at("method").as_string(), "run_instance");
  EXPECT_EQ(waiting[0].at("attempts").to_number<int>(), 0);
  EXPECT_TRUE(waiting[0].at("handed_out_at").is_null());
  EXPECT_TRUE(waiting[0].at("age").is_int64());
  EXPECT_FALSE(waiting[0].as_object().contains("args"));
  const auto host = std::string(waiting[0].at("host").as_string());
  manager.result("receive_casts", R"({"topic":"compute","host":")" + host + R"("})");
  waiting = list("list_casts", R"({"instance":)" + third + "}");
  EXPECT_EQ(waiting[0].at("attempts").to_number<int>(), 1);
  EXPECT_TRUE(waiting[0].at("handed_out_at").is_string());
  for (const auto& cast : list("list_casts", R"({"host":")" + host + R"("})"))
    EXPECT_EQ(cast.at("host").as_string(), host);
  EXPECT_TRUE(list("list_casts", R"({"method":"terminate_instance"})").empty());
  EXPECT_EQ(list("list_claims", R"({"instance":)" + third + "}").size(), 1U);
}

TEST(ItemId, KeepsNamesWithSlashesApartAndReadsThemBack) {
  EXPECT_EQ(item_id({"a/b", "c"}), "a%2Fb/c");
  EXPECT_EQ(item_id({"a", ""}), "a");
  EXPECT_THAT(split_names("a%2Fb/c%25/"), ElementsAre("a/b", "c%", ""));
}

}  // namespace
}  // namespace gantry::scheduling
