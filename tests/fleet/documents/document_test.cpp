// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/documents/document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/encoding/time.hpp"
#include "core/fleet/document_load.hpp"
#include "core/fleet/fleet.hpp"
#include "core/fleet/tables/row_json.hpp"

namespace gantry::fleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Nanoseconds now = 1'790'000'000'123'456'789;
constexpr auto first = "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01";
constexpr auto second = "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a02";

std::string example() {
  std::ifstream file(GANTRY_SOURCE_DIRECTORY "/config/whatif/fleet.json");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Document read(const std::string& text) {
  auto document = read_document(text, "fleet.json", now);
  EXPECT_TRUE(document) << document.error().message;
  return document ? *document : Document();
}

// A file whose hosts are these.
std::string with_hosts(const std::string& hosts, const std::string& more = {}) {
  return R"({"format":"gantry-fleet/1","hosts":[)" + hosts + "]" + more + "}";
}

std::string refusal(const std::string& text) {
  auto document = read_document(text, "fleet.json", now);
  EXPECT_FALSE(document) << text;
  if (document) return {};
  EXPECT_EQ(document.error().code, ErrorCode::invalid_argument);
  return document.error().message;
}

// Every row as drivers see it, in their order.
std::vector<std::string> rows_of(Fleet& fleet, Nanoseconds at) {
  std::vector<std::string> rows;
  const auto moment = fleet.pin(at);
  for (const auto topic : moment.topics()) {
    const auto* view = moment.view(topic);
    for (std::uint32_t row = 0; row < view->rows; ++row)
      rows.push_back(std::string(topic) + json::write_canonical(row_to_json(moment, *view, row)));
  }
  return rows;
}

void fill(Fleet& fleet) {
  fleet.put_aggregate({3, "u3", "east", {{"availability_zone", "east"}, {"disk", "ssd"}}, {"b", "gone"}});
  fleet.put_aggregate({4, "", "", {}, {"b"}});
  fleet.put_service({"compute", "b", "nova-compute", true, "fan", false, now - 5, 17});
  fleet.put_service({"compute", "idle", "nova-compute", false, "", true, 0, 0});
  fleet.put_service({"volume", "store1", "", false, "", false, now, 1});
  fleet.put_capabilities({"volume", "store1", {{"free_capacity_gb", 900}}, now});
  const json::object stats{{"vcpus", 8},
                           {"vcpus_used", 2.5},
                           {"memory_mb", "4096"},
                           {"numa_topology", R"({"cells":[]})"},
                           {"local_gb", 10},
                           {"instances", json::array{first}},
                           {"stats", {{"io_workload", 3}}},
                           {"rack", "r1"}};
  fleet.restore_compute_node({"compute", "b", "n2", stats, now - 7, now - 6});
  fleet.restore_compute_node({"compute", "a", "", {{"vcpus", 4}}, 0, 0});
  fleet.restore_compute_node({"compute", "b", "n1", {{"vcpus", 2}}, 0, 0});
  Instance placed;
  placed.uuid = first;
  placed.name = "web";
  placed.project_id = "demo";
  placed.host = "b";
  placed.node = "n2";
  placed.vm_state = "building";
  placed.flavor = {{"name", "m1"}, {"vcpus", 2}};
  placed.launch_index = 2;
  placed.created_at = now - 9;
  fleet.put_instance(placed);
  Instance failed;
  failed.uuid = second;
  failed.vm_state = "error";
  fleet.put_instance(failed);
  fleet.put_group({"g", "apart", "demo", "ann", "anti-affinity", {{"max_server_per_host", 2}}, {first, "away"}});
  fleet.load_claim({second, "compute", "a", "", {{"vcpu", 1, 4}, {"gpu", 0.1}}, true, true, now - 3});
  fleet.load_claim({"vol", "volume", "store1", "", {{"gb", 7}}, false, false, now - 2});
}

TEST(FleetDocument, AFleetRoundTripsThroughAFile) {
  Fleet fleet{FleetSettings{}};
  fill(fleet);
  const auto text = write_document(fleet.document(now));
  Fleet again{FleetSettings{}};
  const auto document = read(text);
  load_document(document, again);
  EXPECT_EQ(document.now, now);
  EXPECT_THAT(rows_of(again, now), ::testing::ElementsAreArray(rows_of(fleet, now)));
  EXPECT_EQ(write_document(again.document(now)), text);
  EXPECT_THAT(text, HasSubstr(R"("host":"b","node":"n2")"));
  EXPECT_THAT(text, HasSubstr("away"));
}

TEST(FleetDocument, TheExampleHoldsWhatItSays) {
  Fleet fleet{FleetSettings{}};
  const auto document = read(example());
  EXPECT_THAT(document.warnings, IsEmpty());
  load_document(document, fleet);
  EXPECT_EQ(document.now, parse_time("2026-11-21T09:00:00Z"));
  const auto moment = fleet.pin(document.now);
  const auto& view = *moment.view("compute");
  ASSERT_EQ(view.rows, 4U);
  const auto c1 = row_to_json(moment, view, 0);
  EXPECT_EQ(c1.at("hypervisor_hostname").as_string(), "c1.example.org");
  EXPECT_TRUE(c1.at("up").as_bool());
  EXPECT_EQ(c1.at("availability_zone").as_string(), "east");
  EXPECT_EQ(c1.at("instances").as_array().size(), 1U);
  for (const auto* name : {"numa_topology", "pci_stats", "metrics", "stats", "cpu_info", "supported_instances"})
    EXPECT_TRUE(c1.contains(name)) << name;
  const auto c2 = row_to_json(moment, view, 1);
  EXPECT_TRUE(c2.at("up").as_bool());
  EXPECT_TRUE(c2.at("disabled").as_bool());
  const auto c3 = row_to_json(moment, view, 2);
  EXPECT_EQ(c3.at("vcpus_used").as_double(), 2) << "claims are in use";
  EXPECT_EQ(c3.at("availability_zone").as_string(), "nova");
  EXPECT_EQ(fleet.groups().size(), 1U);
}

TEST(FleetDocument, RowsComeInTheOrderOfTheFile) {
  Fleet fleet{FleetSettings{}};
  load_document(
      read(with_hosts(R"({"host":"z","node":"2","service":{},"compute_node":{}},{"host":"idle","service":{}},)"
                      R"({"host":"z","node":"1","compute_node":{}},{"host":"a","compute_node":{}})")),
      fleet);
  const auto moment = fleet.pin(now);
  const auto& view = *moment.view("compute");
  std::vector<std::string> names;
  for (std::uint32_t row = 0; row < view.rows; ++row)
    names.push_back(std::string(moment.row_name(view, row).host) + std::string(moment.row_name(view, row).node));
  EXPECT_THAT(names, ElementsAre("z2", "idle", "z1", "a"));
}

TEST(FleetDocument, AServiceIsAsItsStateOrItsHeartbeatSays) {
  const auto is_up = [](const std::string& service) {
    const auto document = read(
        R"({"format":"gantry-fleet/1","now":"2026-11-21T09:00:00Z","hosts":[{"host":"a","service":)" + service + "}]}");
    Fleet fleet{FleetSettings{}};
    load_document(document, fleet);
    const auto moment = fleet.pin(document.now);
    return row_to_json(moment, *moment.view("compute"), 0).at("up").as_bool();
  };
  EXPECT_TRUE(is_up("{}"));
  EXPECT_TRUE(is_up(R"({"state":"up"})"));
  EXPECT_FALSE(is_up(R"({"state":"down"})"));
  EXPECT_FALSE(is_up(R"({"state":"up","forced_down":true})"));
  EXPECT_TRUE(is_up(R"({"last_seen_up":"2026-11-21T08:59:00Z"})"));
  EXPECT_FALSE(is_up(R"({"last_seen_up":"2026-11-21T08:58:59.999999999Z"})"));
}

TEST(FleetDocument, AnInstanceJoinsTheGroupThatItNamesByUuidOrName) {
  const auto document = read(with_hosts(
      R"({"host":"a","instances":[{"uuid":"6C8A2F5E-0d53-4f0e-8c43-6f6c1c2f0a01","group":"web"},{"uuid":")" +
          std::string(second) + R"(","group":"g1"}]})",
      R"(,"groups":[{"uuid":"g1","name":"web","policy":"affinity","members":[")" + std::string(second) + R"("]}])"));
  ASSERT_EQ(document.groups.size(), 1U);
  EXPECT_THAT(document.groups[0].members, ElementsAre(second, first));
  EXPECT_EQ(document.hosts[0].instances[0].vm_state, "active");
}

TEST(FleetDocument, WarnsOfAHostThatNoDriverSees) {
  const auto document = read(with_hosts(
      R"({"host":"a","service":{}},{"host":"a","node":"n"},{"host":"b","compute_node":{"vcpus":1}},{"host":"c6"})"));
  EXPECT_THAT(document.warnings,
              ElementsAre("fleet.json: hosts[3]: host 'c6' has neither service nor compute_node: no driver sees it"));
}

TEST(FleetDocument, WarnsOfAnAggregateOfAnUnknownHost) {
  const auto document =
      read(with_hosts(R"({"host":"a","service":{}})", R"(,"aggregates":[{"id":1,"name":"x","hosts":["a","aa"]}])"));
  EXPECT_THAT(document.warnings, ElementsAre("fleet.json: aggregates[0].hosts: there is no host 'aa' in hosts"));
}

TEST(FleetDocument, AnUnreadableDocumentSaysWhereAndWhatWasExpected) {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"{", "fleet.json: "},
      {"{}", "fleet.json: format: expected 'gantry-fleet/1', found none"},
      {R"({"format":"gantry-fleet/2"})", "format: expected 'gantry-fleet/1', found 'gantry-fleet/2'"},
      {R"({"format":"gantry-fleet/1","host":[]})",
       "fleet.json: host: no such key; there are aggregates, format, groups, hosts, instances, note, now"},
      {R"({"format":"gantry-fleet/1","hosts":{}})", "hosts: expected a list, found object"},
      {R"({"format":"gantry-fleet/1","now":"today"})",
       R"(now: expected a time such as "2026-11-21T09:00:00Z", found string "today")"},
      {with_hosts("3"), "hosts[0]: expected an object, found number 3"},
      {with_hosts(R"({"node":"n"})"), "hosts[0].host: missing; expected text"},
      {with_hosts(R"({"host":"a"},{"host":"a"})"), "hosts[1]: host 'a' without a node is at hosts[0] already"},
      {with_hosts(R"({"host":"a","node":"n"},{"host":"a","node":"n"})"), "hosts[1]: host 'a', node 'n' is at hosts[0]"},
      {with_hosts(R"({"host":"a","srvice":{}})"), "hosts[0].srvice: no such key; there are"},
      {with_hosts(R"({"host":"a","service":{"disabled":"no"}})"),
       R"(hosts[0].service.disabled: expected true or false, found string "no")"},
      {with_hosts(R"({"host":"a","service":{"state":"Up"}})"),
       "hosts[0].service.state: expected one of up, down, found 'Up'"},
      {with_hosts(R"({"host":"a","service":{"state":"up","last_seen_up":"2026-11-21T08:59:00Z"}})"),
       "hosts[0].service: expected either state or last_seen_up, found both"},
      {with_hosts(R"({"host":"a","node":"1","service":{}},{"host":"a","node":"2","service":{}})"),
       "hosts[1].service: the service of host 'a' is at hosts[0].service already"},
      {with_hosts(R"({"host":"a","compute_node":{"vcpus":"many"}})"),
       R"(hosts[0].compute_node.vcpus: expected a number from 0 to 2147483647, found "many" of host 'a')"},
      {with_hosts(R"({"host":"a","compute_node":{"host_ip":4}})"),
       "hosts[0].compute_node.host_ip: expected text, found 4"},
      {with_hosts(R"({"host":"a","compute_node":{"free_ram_mb":{}}})"),
       "hosts[0].compute_node.free_ram_mb: expected a number"},
      {with_hosts(R"({"host":"a","compute_node":{"numa_topology":"{"}})"),
       "hosts[0].compute_node.numa_topology: expected an object or a list, or text that holds one"},
      {with_hosts(R"({"host":"a","instances":[{"uuid":"x"}]})"),
       "hosts[0].instances[0].uuid: expected a UUID, found 'x'"},
      {with_hosts(R"({"host":"a","instances":[{"uuid":")" + std::string(first) + R"("}]})",
                  R"(,"instances":[{"uuid":")" + std::string(first) + R"("}])"),
       "instances[0]: instance " + std::string(first) + " is at hosts[0].instances[0] already"},
      {with_hosts(R"({"host":"a","instances":[{"uuid":")" + std::string(first) + R"(","group":"web"}]})"),
       "hosts[0].instances[0].group: there is no group 'web' in groups"},
      {with_hosts(R"({"host":"a","topic":"volume","instances":[{"uuid":")" + std::string(first) + R"("}]})"),
       "hosts[0].instances: expected none, as the topic is not compute"},
      {with_hosts(R"({"host":"a","claims":[{"consumer":"c"}]})"), "hosts[0].claims[0].items: missing"},
      {with_hosts(R"({"host":"a","claims":[{"consumer":"c","items":[{"resource":"vcpu","amount":"1"}]}]})"),
       "hosts[0].claims[0].items[0].amount: expected a number from 0.0 to 9007199254740992.0, found string"},
      {with_hosts("", R"(,"aggregates":[{"id":0,"name":"x"}])"),
       "aggregates[0].id: expected a whole number of at least 1"},
      {with_hosts("", R"(,"aggregates":[{"id":1}])"), "aggregates[0].name: missing; expected text"},
      {with_hosts("", R"(,"aggregates":[{"id":1,"name":"x","metadata":{"k":1}}])"),
       "aggregates[0].metadata.k: expected text, found number 1"},
      {with_hosts("", R"(,"aggregates":[{"id":1,"name":"x"},{"id":1,"name":"y"}])"),
       "aggregates[1]: aggregate 1 is at"},
      {with_hosts("", R"(,"groups":[{"uuid":"g","policy":"near"}])"), "groups[0].policy: expected one of affinity,"},
      {with_hosts("", R"(,"groups":[{"uuid":"g"}])"), "groups[0].policy: missing"},
      {with_hosts(
           "",
           R"(,"groups":[{"uuid":"g","name":"n","policy":"affinity"},{"uuid":"h","name":"n","policy":"affinity"}])"),
       "groups[1]: group 'n' is at groups[0] already"},
  };
  for (const auto& [text, message] : refused) EXPECT_THAT(refusal(text), HasSubstr(message)) << text;
}

TEST(FleetDocument, DoesNotWriteReportedValuesOfAWrongType) {
  Fleet fleet{FleetSettings{}};
  fleet.restore_compute_node({"compute", "a", "", {{"vcpus", "many"}, {"rack", 7}, {"stats", "not JSON"}}, 0, 0});
  const auto text = write_document(fleet.document(now));
  EXPECT_THAT(text, HasSubstr(R"("compute_node":{"rack":7})"));
  Fleet again{FleetSettings{}};
  load_document(read(text), again);
  EXPECT_THAT(rows_of(again, now), ::testing::ElementsAreArray(rows_of(fleet, now)));
}

TEST(FleetDocument, RefusesAnAbsurdNumberByItsHost) {
  EXPECT_THAT(
      refusal(with_hosts(R"({"host":"odd","compute_node":{"vcpus":8,"cpu_allocation_ratio":1e308}})")),
      HasSubstr("fleet.json: hosts[0].compute_node.cpu_allocation_ratio: expected a number from 0 to 2147483647, "
                "found 1e+308 of host 'odd'"));
  EXPECT_THAT(refusal(with_hosts(R"({"host":"odd","compute_node":{"memory_mb":-1}})")), HasSubstr("memory_mb"));
  EXPECT_THAT(refusal(with_hosts(R"({"host":"odd","instances":[{"uuid":")" + std::string(first) +
                                 R"(","flavor":{"vcpus":1e30}}]})")),
              HasSubstr("flavor.vcpus: expected a number from 0 to 2147483647"));
  EXPECT_THAT(
      refusal(with_hosts(R"({"host":"odd","claims":[{"consumer":"c","items":[{"resource":"vcpu","amount":-1e308)"
                         R"(}]}]})")),
      HasSubstr("items[0].amount: expected a number from 0"));
}

TEST(FleetDocument, RefusesANameThatIsLongerThanNovaKeeps) {
  const std::string name(256, 'y');
  EXPECT_THAT(refusal(with_hosts(R"({"host":")" + name + R"("})")),
              HasSubstr("hosts[0].host: expected at most 255 characters, found 256"));
  EXPECT_THAT(refusal(with_hosts(R"({"host":"a\nb"})")), HasSubstr("without control characters"));
  EXPECT_THAT(refusal(with_hosts("", R"(,"aggregates":[{"id":1,"name":"a","hosts":[")" + name + R"("]}])")),
              HasSubstr("aggregates[0].hosts[0]: expected at most 255 characters"));
}

TEST(FleetDocument, WarnsOfAHeartbeatOfTheFuture) {
  const auto document = read(with_hosts(R"({"host":"ahead","service":{"last_seen_up":"2199-01-01T00:00:00Z"}})"));
  EXPECT_THAT(document.warnings, ElementsAre(HasSubstr("hosts[0].service.last_seen_up: of the future")));
}

}  // namespace
}  // namespace gantry::fleet
