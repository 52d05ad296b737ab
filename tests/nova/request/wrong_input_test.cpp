// SPDX-License-Identifier: Apache-2.0
//
// Requests that no conductor sends: each is answered or refused in words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/nova/request/request_fixture.hpp"

namespace gantry::nova {
namespace {

using ::testing::HasSubstr;

TEST(WrongInput, AMistypedMemberIsRefusedByName) {
  EXPECT_EQ(asked(with_member("flavor", "m1")), "ValueError: RequestSpec.flavor: expected an object, found string");
  EXPECT_EQ(asked(with_member("project_id", 5)), "ValueError: RequestSpec.project_id: expected a text, found number");
  EXPECT_EQ(asked(with_member("is_bfv", "no")), "ValueError: RequestSpec.is_bfv: expected true or false, found string");
  EXPECT_EQ(asked(with_member("force_hosts", json::array{"h1", 2})),
            "ValueError: RequestSpec.force_hosts[1]: expected a text, found number");
  EXPECT_EQ(asked(with_member("requested_networks", 1)),
            "ValueError: RequestSpec.requested_networks: expected a list, found number");
  EXPECT_EQ(asked(with_extra_specs({{"resources:VCPU", 1}})),
            "ValueError: RequestSpec.flavor.extra_specs.resources:VCPU: expected a text, found number");
  EXPECT_EQ(asked(with_extra_specs({}, {{"hw_cpu_policy", json::array{}}})),
            "ValueError: RequestSpec.image.properties.hw_cpu_policy: expected a text, found array");
}

TEST(WrongInput, AnAmountThatIsNoWholeNumberIsRefused) {
  for (const auto& vcpus : {json::value(1.5), json::value("2"), json::value(true), json::value(1e300),
                            json::value(std::uint64_t{1} << 63)}) {
    auto spec = small_server();
    spec["flavor"].as_object()["vcpus"] = vcpus;
    EXPECT_THAT(asked(spec), HasSubstr("ValueError: RequestSpec.flavor.vcpus: expected a whole number")) << vcpus;
  }
  const json::array groups = {json::object{{"requester_id", "p"}, {"resources", {{"VGPU", 0.5}}}}};
  EXPECT_EQ(asked(with_member("requested_resources", groups)),
            "ValueError: RequestSpec.requested_resources[0].resources.VGPU: expected a whole number, found number");
}

TEST(WrongInput, AMissingFieldFailsAsInNova) {
  for (const auto* const name : {"flavor", "image", "availability_zone"}) {
    auto spec = small_server();
    spec.erase(name);
    EXPECT_EQ(asked(spec), "ObjectActionError: Object action obj_load_attr failed because: attribute " +
                               std::string(name) + " not lazy-loadable");
  }
  auto spec = small_server();
  spec["flavor"].as_object().erase("memory_mb");
  EXPECT_EQ(asked(spec), "ObjectActionError: Object action obj_load_attr failed because: unable to load memory_mb");
}

TEST(WrongInput, ANegativeAmountOfTheFlavorIsLeftOut) {
  auto spec = small_server();
  spec["flavor"].as_object()["vcpus"] = -1;
  EXPECT_EQ(asked(spec), query_of("DISK_GB:10,MEMORY_MB:512"));
}

TEST(WrongInput, AnotherObjectThanARequestSpecIsRefused) {
  EXPECT_EQ(asked({{"nova_object.name", "Flavor"}, {"nova_object.data", json::object{}}}),
            "ValueError: expected a RequestSpec, found a Flavor");
  EXPECT_EQ(asked({{"nova_object.name", "RequestSpec"}}),
            "ValueError: RequestSpec: expected an object in nova_object.data");
}

TEST(WrongInput, ANestingTooDeepIsRefused) {
  json::value deep = json::array{};
  for (int level = 0; level < 1000; ++level) deep = json::array{std::move(deep)};
  EXPECT_THAT(asked(with_member("limits", deep)), HasSubstr("ValueError: RequestSpec: expected at most 64 levels"));
  json::object wrapped = small_server();
  for (int level = 0; level < 1000; ++level)
    wrapped = json::object{{"nova_object.name", "RequestSpec"}, {"nova_object.data", std::move(wrapped)}};
  EXPECT_THAT(asked(wrapped), HasSubstr("ValueError: RequestSpec: expected at most 64 levels"));
}

TEST(WrongInput, AHugeNumberOfCpusCostsNothing) {
  auto spec = with_extra_specs({{"hw:cpu_policy", "mixed"}, {"hw:cpu_dedicated_mask", "^1"}});
  spec["flavor"].as_object()["vcpus"] = std::int64_t{1} << 53;
  EXPECT_THAT(asked(spec), HasSubstr("PCPU%3A9007199254740991%2CVCPU%3A1"));
}

// A request with a value in each member that is read.
json::object full_request() {
  auto spec = with_extra_specs({{"hw:cpu_policy", "mixed"},
                                {"hw:cpu_dedicated_mask", "^1"},
                                {"resources1:VGPU", "1"},
                                {"hw:pmem", "a"},
                                {"hw:mem_encryption", "yes"},
                                {"hw:tpm_version", "1.2"},
                                {"accel:device_profile", "x"}},
                               {{"hw_firmware_type", "uefi"},
                                {"hw_mem_encryption", true},
                                {"traits_required", json::array{"T"}},
                                {"hw_disk_bus", "virtio"}});
  spec["availability_zone"] = "az1";
  spec["force_hosts"] = json::array{"h1"};
  spec["force_nodes"] = json::array{"n1"};
  spec["requested_destination"] = {{"host", "h1"},
                                   {"cell", {{"uuid", "c"}}},
                                   {"aggregates", json::array{"a,b"}},
                                   {"forbidden_aggregates", json::array{"c"}}};
  spec["scheduler_hints"] = {{"group", json::array{"g"}}};
  spec["requested_resources"] = {{"objects", json::array{json::object{{"requester_id", "p"},
                                                                      {"resources", {{"VGPU", 1}}},
                                                                      {"required_traits", json::array{"T"}},
                                                                      {"aggregates", *json::parse(R"([["a"]])")},
                                                                      {"in_tree", "t"}}}}};
  spec["requested_networks"] = json::array{json::object{{"network_id", "net1"}, {"port_id", "port1"}}};
  spec["request_level_params"] = {{"root_required", json::array{"R"}}, {"same_subtree", *json::parse(R"([["1"]])")}};
  return spec;
}

// Returns the values below `value`, itself included.
void collect(json::value& value, std::vector<json::value*>& all) {
  all.push_back(&value);
  if (auto* const list = value.if_array()) {
    for (auto& each : *list) collect(each, all);
  } else if (auto* const object = value.if_object()) {
    for (auto& member : *object) collect(member.value(), all);
  }
}

TEST(WrongInput, AnyMemberMayBeReplacedByAnything) {
  RequestOptions options;
  options.limit_tenants_to_placement_aggregate = true;
  options.query_placement_for_image_type_support = true;
  options.enable_isolated_aggregate_filtering = true;
  options.image_metadata_prefilter = true;
  FakeCloud cloud;
  cloud.nodes = {{"h1", "n1", "u1"}};
  const json::value replacements[] = {nullptr,
                                      true,
                                      0,
                                      -1,
                                      1e300,
                                      std::numeric_limits<std::int64_t>::min(),
                                      "",
                                      "^",
                                      "\n",
                                      json::array{},
                                      json::array{nullptr},
                                      json::object{},
                                      json::object{{"nova_object.name", "X"}, {"nova_object.data", json::array{}}}};
  const auto seed = std::random_device()();
  std::mt19937 random(seed);
  for (int round = 0; round < 5000; ++round) {
    json::value spec = full_request();
    for (int change = 0; change < 1 + round % 3; ++change) {
      std::vector<json::value*> all;
      for (auto& member : spec.as_object()) collect(member.value(), all);
      *all[random() % all.size()] = replacements[random() % std::size(replacements)];
    }
    const auto question = placement_question(spec.as_object(), options, cloud);
    if (question) continue;
    ASSERT_FALSE(question.error().message.empty() && exception_of(question.error()) != "AssertionError")
        << "seed " << seed << ": " << json::write(spec);
  }
}

}  // namespace
}  // namespace gantry::nova
