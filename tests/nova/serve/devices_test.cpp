// SPDX-License-Identifier: Apache-2.0
//
// PCI devices that placement knows: the allocations name the provider of the devices that Nova's filters would leave first.
#include <set>
#include <string>

#include "tests/nova/serve/served_nova.hpp"

namespace gantry::nova {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr const char* device_class = "CUSTOM_PCI_8086_1520";
constexpr const char* request_id = "11111111-0000-4000-8000-000000000000";
const std::string rules =
    "[driver.filter]\ncompatibility = \"gazpacho\"\nenabled_filters = [\"ComputeFilter\", \"NUMATopologyFilter\", "
    "\"PciPassthroughFilter\"]\nweight_classes = [\"RAMWeigher\"]\n";

// A versioned object, as Nova sends and stores it.
json::object object_of_nova(const std::string& name, const std::string& version, json::object data) {
  return {{"nova_object.name", name},
          {"nova_object.namespace", "nova"},
          {"nova_object.version", version},
          {"nova_object.data", std::move(data)}};
}

// One device of a host.
struct Device {
  int number;
  std::string product = "1520";
  int cell = 0;
};

std::string provider_of(const std::string& host, int number) {
  return "de71ce00-0000-4000-a000-0000000000" + host.substr(1) + std::to_string(number);
}

json::object cell_of_host(int id) {
  const auto cpus = id == 0 ? json::array{0, 1} : json::array{2, 3};
  return object_of_nova("NUMACell", "1.5",
                        {{"id", id},
                         {"cpuset", cpus},
                         {"pcpuset", json::array()},
                         {"memory", 4096},
                         {"cpu_usage", 0},
                         {"memory_usage", 0},
                         {"pinned_cpus", json::array()},
                         {"siblings", json::array()},
                         {"mempages", json::array()},
                         {"network_metadata", nullptr},
                         {"socket", 0}});
}

class ServesDevices : public ServedNova, public ::testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    ServedNova::SetUp();
    if (IsSkipped()) return;
    mirrors_ = GetParam();
    in_cell("UPDATE services SET version = 72");
    const auto made = ask_placement("PUT", std::string("/resource_classes/") + device_class);
    EXPECT_TRUE(made.status == 201 || made.status == 204) << made.body;
  }

  // Has the host report devices, each of which is a provider of its own below the host's.
  void give(const std::string& host, const std::vector<Device>& devices) {
    json::array pools;
    for (const auto& [number, product, cell] : devices) {
      const auto uuid = provider_of(host, number);
      const json::object provider{
          {"name", host + "_" + std::to_string(number)}, {"uuid", uuid}, {"parent_provider_uuid", uuid_of_host(host)}};
      EXPECT_EQ(ask_placement("POST", "/resource_providers", json::write(provider)).status, 200U);
      const json::object inventory{{"resource_provider_generation", 0},
                                   {"inventories", {{device_class, {{"total", 1}, {"max_unit", 1}}}}}};
      EXPECT_EQ(ask_placement("PUT", "/resource_providers/" + uuid + "/inventories", json::write(inventory)).status,
                200U);
      pools.push_back(object_of_nova("PciDevicePool", "1.1",
                                     {{"vendor_id", "8086"},
                                      {"product_id", product},
                                      {"numa_node", cell},
                                      {"count", 1},
                                      {"tags", {{"dev_type", "type-PCI"}, {"rp_uuid", uuid}}}}));
    }
    const auto stats = json::write(object_of_nova("PciDevicePoolList", "1.1", {{"objects", std::move(pools)}}));
    in_cell("UPDATE compute_nodes SET pci_stats = '" + stats + "' WHERE host = '" + host + "'");
  }
  void give_cells(const std::string& host) {
    const auto cells =
        object_of_nova("NUMATopology", "1.2", {{"cells", json::array{cell_of_host(0), cell_of_host(1)}}});
    in_cell("UPDATE compute_nodes SET numa_topology = '" + json::write(cells) + "' WHERE host = '" + host + "'");
  }

  // The members of a request for devices of product 1520, each in a group of its own.
  static json::object wanting(int count, const std::string& numa_policy = "legacy") {
    json::array groups;
    for (int number = 0; number < count; ++number) {
      groups.push_back(object_of_nova("RequestGroup", "1.3",
                                      {{"requester_id", request_id + ("-" + std::to_string(number))},
                                       {"use_same_provider", true},
                                       {"resources", {{device_class, 1}}},
                                       {"required_traits", json::array()},
                                       {"forbidden_traits", json::array()},
                                       {"aggregates", json::array()},
                                       {"forbidden_aggregates", json::array()},
                                       {"provider_uuids", json::array()},
                                       {"in_tree", nullptr}}));
    }
    auto request = object_of_nova("InstancePCIRequest", "1.5",
                                  {{"alias_name", "gpu"},
                                   {"request_id", request_id},
                                   {"count", count},
                                   {"is_new", false},
                                   {"numa_policy", numa_policy},
                                   {"requester_id", nullptr},
                                   {"spec", json::array{json::object{{"vendor_id", "8086"}, {"product_id", "1520"}}}}});
    return {{"requested_resources", std::move(groups)},
            {"pci_requests",
             object_of_nova("InstancePCIRequests", "1.1", {{"requests", json::array{std::move(request)}}})}};
  }
  static json::object with_one_cell(json::object changes) {
    auto cell = object_of_nova("InstanceNUMACell", "1.6",
                               {{"id", 0},
                                {"cpuset", json::array{0}},
                                {"pcpuset", json::array()},
                                {"memory", 512},
                                {"pagesize", nullptr},
                                {"cpu_policy", "shared"},
                                {"cpu_thread_policy", nullptr},
                                {"cpu_pinning_raw", nullptr},
                                {"cpuset_reserved", nullptr}});
    changes["numa_topology"] = object_of_nova(
        "InstanceNUMATopology", "1.3", {{"cells", json::array{std::move(cell)}}, {"emulator_threads_policy", nullptr}});
    return changes;
  }

  // The providers of devices that a consumer holds at placement.
  static std::set<std::string> devices_held(const std::string& consumer) {
    std::set<std::string> held;
    const auto body = *json::parse_object(ask_placement("GET", "/allocations/" + consumer).body);
    for (const auto& each : body.at("allocations").as_object()) {
      if (each.value().at("resources").as_object().contains(device_class)) held.emplace(each.key());
    }
    return held;
  }
};

INSTANTIATE_TEST_SUITE_P(Candidates, ServesDevices, ::testing::Bool(),
                         [](const auto& chosen) { return chosen.param ? "computed" : "asked"; });

TEST_P(ServesDevices, ClaimsTheProviderWhoseDeviceTheFilterLeaves) {
  give("h1", {{1, "other"}, {2, "other"}, {3}});
  serve(rules);
  const auto uuid = next_uuid();
  const auto heard = select({uuid}, wanting(1));
  ASSERT_THAT(hosts_of(heard), ElementsAre("h1"));
  EXPECT_THAT(devices_held(uuid), ElementsAre(provider_of("h1", 3)));
  const auto& selection = heard.at("result").as_array().at(0).as_array().at(0).at("nova_object.data");
  const auto claim = *json::parse_object(selection.at("allocation_request").as_string());
  EXPECT_EQ(claim.at("mappings").at(std::string(request_id) + "-0"), json::value(json::array{provider_of("h1", 3)}));
}

TEST_P(ServesDevices, ClaimsAProviderForEachOfTwoGroups) {
  give("h1", {{1, "other"}, {2}, {3, "other"}, {4}});
  serve(rules);
  const auto uuid = next_uuid();
  ASSERT_THAT(hosts_of(select({uuid}, wanting(2))), ElementsAre("h1"));
  EXPECT_THAT(devices_held(uuid), UnorderedElementsAre(provider_of("h1", 2), provider_of("h1", 4)));
}

TEST_P(ServesDevices, GivesEachInstanceOfARequestDevicesOfItsOwn) {
  give("h1", {{1}, {2, "other"}, {3}});
  give("h2", {{1, "other"}, {2}});
  serve(rules);
  const auto first = next_uuid();
  const auto second = next_uuid();
  const auto third = next_uuid();
  ASSERT_THAT(hosts_of(select({first, second, third}, wanting(1))), ElementsAre("h1", "h1", "h2"));
  auto all = devices_held(first);
  all.merge(devices_held(second));
  EXPECT_THAT(all, UnorderedElementsAre(provider_of("h1", 1), provider_of("h1", 3)));
  EXPECT_THAT(devices_held(third), ElementsAre(provider_of("h2", 2)));
}

TEST_P(ServesDevices, ClaimsTheDeviceThatIsNearACellOfTheHost) {
  give("h1", {{1, "1520", 1}, {2, "1520", 7}, {3, "1520", 8}});
  give_cells("h1");
  serve(rules);
  const auto uuid = next_uuid();
  ASSERT_THAT(hosts_of(select({uuid}, with_one_cell(wanting(1, "required")))), ElementsAre("h1"));
  EXPECT_THAT(devices_held(uuid), ElementsAre(provider_of("h1", 1)));
}

TEST_P(ServesDevices, FindsNoHostWhereNoCandidateFits) {
  give("h1", {{1, "other"}, {2, "other"}});
  serve(rules);
  const auto uuid = next_uuid();
  EXPECT_THAT(hosts_of(select({uuid}, wanting(1))),
              ElementsAre("NoValidHost: No valid host was found. There are not enough hosts available."));
  EXPECT_THAT(devices_held(uuid), IsEmpty());
  const auto record = answer("recent_decision", R"({"instance_uuid":")" + uuid + R"("})");
  EXPECT_THAT(json::write(record.at("steps")), HasSubstr("PciPassthroughFilter"));
}

// With 3 groups over 5 devices there are 60 ways to serve a request, and 125 to put their groups together: the mirror counts
// them, and placement lists them.
TEST_P(ServesDevices, CountsDevicesThatAreTooManyForAList) {
  give("h1", {{1, "other"}, {2}, {3, "other"}, {4}, {5}});
  serve(rules);
  const auto uuid = next_uuid();
  ASSERT_THAT(hosts_of(select({uuid}, wanting(3))), ElementsAre("h1"));
  EXPECT_THAT(devices_held(uuid),
              UnorderedElementsAre(provider_of("h1", 2), provider_of("h1", 4), provider_of("h1", 5)));
}

}  // namespace
}  // namespace gantry::nova
