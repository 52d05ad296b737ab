// SPDX-License-Identifier: Apache-2.0
//
// Reports and imported rows with values that cannot be taken: refused or listed, field by field.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GarbageInReports : public ::testing::Test {
 protected:
  std::string refusal(const std::string& stats) {
    const auto reply = manager.call("update_resource_stats", R"({"name":"h1","stats":)" + stats + "}");
    EXPECT_FALSE(reply) << stats;
    if (reply) return {};
    EXPECT_EQ(reply.error().code, ErrorCode::invalid_argument);
    return reply.error().message;
  }
  RunningManager manager{"chance"};
};

TEST_F(GarbageInReports, AreRefusedWithFieldExpectedAndFound) {
  EXPECT_EQ(refusal(R"({"vcpus":-5})"),
            "argument 'stats': field 'vcpus': expected a number from 0 to 2147483647, found -5");
  EXPECT_THAT(refusal(R"({"vcpus":1e18})"), AllOf(HasSubstr("field 'vcpus'"), HasSubstr("found 1e+18")));
  EXPECT_THAT(refusal(R"({"vcpus":"NaN","memory_mb":"abc"})"),
              AllOf(HasSubstr("field 'vcpus': expected a number from 0 to 2147483647, found \"NaN\""),
                    HasSubstr("field 'memory_mb': expected a number from 0 to 2147483647, found \"abc\"")));
  EXPECT_THAT(refusal(R"({"memory_mb_used":true})"), HasSubstr("field 'memory_mb_used': expected a number"));
  EXPECT_THAT(refusal(R"({"cpu_allocation_ratio":-1})"), HasSubstr("field 'cpu_allocation_ratio'"));
  EXPECT_THAT(refusal(R"({"free_ram_mb":-3e9})"), HasSubstr("expected a number from -2147483648 to 2147483647"));
  EXPECT_THAT(refusal(R"({"host_ip":5})"), HasSubstr("field 'host_ip': expected text, found 5"));
  EXPECT_THAT(refusal(R"({"cpu_info":"x86"})"), HasSubstr("field 'cpu_info': expected an object or a list"));
  EXPECT_THAT(refusal(R"({"instances":"all"})"), HasSubstr("field 'instances': expected a list of texts"));
  EXPECT_THAT(refusal(R"({"vcpus":{"count":8}})"), HasSubstr("found object"));
  EXPECT_EQ(manager.result("list_hosts", "{}").as_array().size(), 0U) << "nothing of them was taken";
}

TEST_F(GarbageInReports, AreNoneInWhatNovaAndAgentsSend) {
  manager.result("update_resource_stats", R"({"name":"h1","stats":{"vcpus":"8","memory_mb":16384.5,"free_ram_mb":-512,
    "disk_available_least":-3,"local_gb":null,"cpu_info":"","pci_stats":"{\"nova_object.data\":{}}","metrics":"[]",
    "numa_topology":null,"stats":{"failed_builds":"0"},"supported_instances":[["x86_64","kvm","hvm"]],
    "cpu_allocation_ratio":0.0,"hypervisor_version":8000000,"mapped":1,"extra_resources":null,"updated_at":"yesterday",
    "rack":-7,"another":{"deep":[1e300]}}})");
  const auto host = manager.result("show_host", R"({"name":"h1"})");
  EXPECT_EQ(host.at("stats").at("rack"), -7);
  EXPECT_EQ(host.at("row").at("vcpus"), 8);
}

class Imported : public ::testing::Test {
 protected:
  json::value import(const std::string& tables, bool keep_times = true) {
    return manager.result(
        "import", R"({"keep_times":)" + std::string(keep_times ? "true" : "false") + R"(,"tables":)" + tables + "}");
  }
  static std::vector<std::string> skipped(const json::value& answer) {
    std::vector<std::string> texts;
    for (const auto& why : answer.at("skipped").as_array()) texts.emplace_back(why.as_string());
    return texts;
  }
  RunningManager manager{"chance"};
};

TEST_F(Imported, ValuesThatCannotBeTakenAreListedAndTheOthersAreTaken) {
  const auto answer = import(R"({"compute_nodes":[
    {"host":"h1","hypervisor_hostname":"h1","vcpus":"eight","memory_mb":1024,"deleted":0},
    {"host":"h2","hypervisor_hostname":"h2","vcpus":8,"updated_at":"garbage","deleted":"0"}]})");
  EXPECT_THAT(skipped(answer),
              ElementsAre("compute_nodes[0]: vcpus: expected a number from 0 to 2147483647, found \"eight\"; left out",
                          "compute_nodes[1]: updated_at: expected a time such as \"2026-11-21 09:00:00\", found "
                          "\"garbage\"; left out"));
  EXPECT_EQ(answer.at("compute_nodes"), 2);
  const auto stats = manager.result("show_host", R"({"name":["h1","h1"]})").at("stats");
  EXPECT_FALSE(stats.as_object().contains("vcpus"));
  EXPECT_EQ(stats.at("memory_mb"), 1024);
}

TEST_F(Imported, ServicesWithBadTimesAndTruthValuesAreListed) {
  const auto answer = import(R"({"services":[
    {"topic":"compute","host":"h1","last_seen_up":"2026-02-31 09:00:00","report_count":-1},
    {"topic":"compute","host":"h2","disabled":"maybe"},
    {"topic":"compute","host":"h3","forced_down":{}},
    {"topic":"compute","host":"h4","deleted":"perhaps"},
    {"topic":"compute","host":"h5","disabled":"true","deleted":0},
    {"topic":"compute","host":7}]})");
  EXPECT_THAT(
      skipped(answer),
      ElementsAre("services[0]: last_seen_up: expected a time such as \"2026-11-21 09:00:00\", found "
                  "\"2026-02-31 09:00:00\"; left out",
                  "services[0]: report_count: expected a whole number of at least 0, found -1; left out",
                  "services[1]: disabled: expected true or false, found \"maybe\"; the row is left out",
                  "services[2]: forced_down: expected true or false, found object; the row is left out",
                  "services[3]: deleted: expected true or false, found \"perhaps\"; the row is left out",
                  "services[5]: host: expected text, found 7; left out", "services[5]: has no topic or no host"));
  EXPECT_EQ(answer.at("services"), 2);
  EXPECT_EQ(manager.result("list_services", R"({"host":"h5"})").at(0).at("status"), "disabled");
}

TEST_F(Imported, AggregatesThatContradictEachOtherAreListed) {
  manager.result("create_aggregate", R"({"name":"own"})");
  const auto answer = import(R"({"services":[],
    "aggregates":[{"id":7,"name":"fast"},{"id":7,"name":"slow"},{"id":8,"name":"own"},{"id":"x","name":"bad"},
                  {"id":1,"name":"theirs","uuid":"e87a4bc0-6c47-4a8a-b7d5-500edae07907"}],
    "aggregate_hosts":[{"aggregate_id":7,"host":"h1"},{"aggregate_id":9,"host":"h1"},{"aggregate_id":7}],
    "aggregate_metadata":[{"aggregate_id":7,"key":"ssd","value":"true"},{"aggregate_id":4,"key":"a","value":"b"}]})");
  EXPECT_THAT(skipped(answer),
              ElementsAre("aggregates[1]: id 7 is that of aggregate 'fast' of the same import",
                          "aggregates[2]: name 'own' is that of aggregate 1 already",
                          "aggregates[3]: id: expected a whole number of at least 0, found \"x\"; left out",
                          "aggregates[3]: has no id or no name",
                          "aggregates[4]: id 1 is that of aggregate 'own' already, which has another uuid",
                          "aggregate_hosts[1]: aggregate_id 9 is that of no aggregate which is imported with it",
                          "aggregate_hosts[2]: has no host",
                          "aggregate_metadata[1]: aggregate_id 4 is that of no aggregate which is imported with it"));
  EXPECT_EQ(answer.at("aggregates"), 1);
  EXPECT_EQ(json::write(manager.result("show_aggregate", R"({"aggregate":"fast"})").at("hosts")), R"(["h1"])");
}

TEST_F(Imported, TablesThatAreNoListsAreListed) {
  EXPECT_THAT(skipped(import(R"({"compute_nodes":{},"aggregates":5,"services":[7]})")),
              ElementsAre("services[0]: expected an object, found number",
                          "table 'compute_nodes': expected a list of rows, found object",
                          "table 'aggregates': expected a list of rows, found number"));
}

}  // namespace
}  // namespace gantry::scheduling
