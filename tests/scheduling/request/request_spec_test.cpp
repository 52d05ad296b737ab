// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request/request_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gantry::scheduling {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

json::value read(std::string_view text) {
  auto parsed = json::parse(text);
  EXPECT_TRUE(parsed) << text;
  return *parsed;
}

Result<RequestSpec> parse(std::string_view spec, std::string_view filter_properties = "{}",
                          std::vector<std::string> uuids = {}) {
  return parse_request_spec(read(spec), read(filter_properties).as_object(), std::move(uuids));
}

constexpr auto uuid_a = "990b279d-8220-4153-854d-544785dad4c1";
constexpr auto uuid_b = "95fcbada-fcc3-49a0-bbe9-14a24f2947a5";

constexpr auto legacy = R"({
  "num_instances": 2, "image": {"id": "i1", "properties": {"hw_architecture": "x86_64"}},
  "instance_type": {"name": "m1.small", "vcpus": 1, "memory_mb": 2048, "root_gb": 20, "ephemeral_gb": 5, "swap": 512,
                    "extra_specs": {"hw:cpu_policy": "shared"}},
  "instance_properties": {"project_id": "p1", "user_id": "u1", "availability_zone": "az1"}})";

constexpr auto legacy_properties = R"({
  "scheduler_hints": {"group": "g1", "same_host": ["a", "b"]}, "force_hosts": ["h1"], "force_nodes": ["n1"],
  "ignore_hosts": ["h2"], "retry": {"num_attempts": 2, "hosts": [["h3", "n3"]]}})";

constexpr auto versioned = R"({"nova_object.name": "RequestSpec", "nova_object.version": "1.14", "nova_object.data": {
  "num_instances": 2, "project_id": "p1", "user_id": "u1", "availability_zone": "az1",
  "image": {"nova_object.name": "ImageMeta", "nova_object.data": {"id": "i1", "properties":
     {"nova_object.name": "ImageMetaProps", "nova_object.data": {"hw_architecture": "x86_64"}}}},
  "flavor": {"nova_object.name": "Flavor", "nova_object.data": {"name": "m1.small", "vcpus": 1, "memory_mb": 2048,
     "root_gb": 20, "ephemeral_gb": 5, "swap": 512, "extra_specs": {"hw:cpu_policy": "shared"}}},
  "scheduler_hints": {"group": ["g1"], "same_host": ["a", "b"]}, "force_hosts": ["h1"], "force_nodes": ["n1"],
  "ignore_hosts": ["h2"],
  "retry": {"nova_object.name": "SchedulerRetries", "nova_object.data": {"num_attempts": 2, "hosts":
     {"nova_object.name": "ComputeNodeList", "nova_object.data": {"objects": [
       {"nova_object.name": "ComputeNode", "nova_object.data": {"host": "h3", "hypervisor_hostname": "n3"}}]}}}},
  "requested_destination": {"nova_object.name": "Destination", "nova_object.data": {"host": "h1", "node": "n1",
     "cell": {"nova_object.name": "CellMapping", "nova_object.data": {"uuid": "c1",
       "transport_url": "rabbit://user:hunter2@broker/"}}}}}})";

void expect_the_same_request(const RequestSpec& spec) {
  EXPECT_EQ(spec.num_instances, 2U);
  EXPECT_EQ(spec.vcpus, 1);
  EXPECT_EQ(spec.memory_mb, 2048);
  EXPECT_EQ(spec.root_gb, 20);
  EXPECT_EQ(spec.swap_mb, 512);
  EXPECT_DOUBLE_EQ(spec.disk_gb(), 25.5);
  EXPECT_EQ(spec.flavor, "m1.small");
  EXPECT_THAT(spec.extra_specs, ElementsAre(Pair("hw:cpu_policy", "shared")));
  EXPECT_THAT(spec.image_properties, ElementsAre(Pair("hw_architecture", "x86_64")));
  EXPECT_EQ(spec.availability_zone, "az1");
  EXPECT_EQ(spec.project_id, "p1");
  EXPECT_EQ(spec.user_id, "u1");
  EXPECT_THAT(spec.force_hosts, ElementsAre("h1"));
  EXPECT_THAT(spec.force_nodes, ElementsAre("n1"));
  EXPECT_THAT(spec.ignore_hosts, ElementsAre("h2"));
  EXPECT_THAT(spec.retry_hosts, ElementsAre(Pair("h3", "n3")));
  EXPECT_EQ(spec.retry_attempts, 2U);
  ASSERT_NE(spec.hint("same_host"), nullptr);
  EXPECT_THAT(spec.hint("same_host")->values, ElementsAre("a", "b"));
  EXPECT_THAT(spec.hint("group")->values, ElementsAre("g1"));
}

TEST(RequestSpec, ReadsBothFormsIntoTheSameRequest) {
  const auto dictionaries = parse(legacy, legacy_properties);
  ASSERT_TRUE(dictionaries) << dictionaries.error().message;
  expect_the_same_request(*dictionaries);
  const auto object = parse(versioned);
  ASSERT_TRUE(object) << object.error().message;
  expect_the_same_request(*object);
  EXPECT_EQ(object->requested_host, "h1");
  EXPECT_EQ(object->requested_node, "n1");
  EXPECT_EQ(object->cell_uuid, "c1");
}

TEST(RequestSpec, LeavesOutThePasswordsInCellMappings) {
  const auto spec = parse(versioned);
  ASSERT_TRUE(spec);
  EXPECT_THAT(json::write(spec->plain), testing::Not(HasSubstr("hunter2")));
  EXPECT_THAT(spec->original, testing::Not(HasSubstr("hunter2")));
}

TEST(RequestSpec, KeepsAbsentMembersAbsentAndNullMembersNull) {
  const auto spec = parse(R"({"instance_type": {"vcpus": 1}, "pci_requests": null})");
  ASSERT_TRUE(spec);
  EXPECT_FALSE(spec->memory_mb.has_value());
  EXPECT_TRUE(spec->plain.at("pci_requests").is_null());
  EXPECT_FALSE(spec->plain.contains("numa_topology"));
}

TEST(RequestSpec, KeepsTheMembersThatOnlyTheOlderFormHas) {
  const auto spec = parse(R"({"instance_properties": {"os_type": "linux", "vcpus": 3}, "site": "x"})");
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->plain.at("site").as_string(), "x");
  EXPECT_EQ(spec->vcpus, 3);
}

TEST(RequestSpec, TakesTheNumberOfInstancesFromTheCallersUuids) {
  const auto spec = parse(R"({"num_instances": 5})", "{}", {uuid_a, uuid_b});
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->num_instances, 2U);
}

TEST(RequestSpec, CountsNoRootDiskForAnInstanceThatBootsFromAVolume) {
  const auto spec = parse(R"({"is_bfv": true, "flavor": {"root_gb": 20, "ephemeral_gb": 1}})");
  ASSERT_TRUE(spec);
  EXPECT_DOUBLE_EQ(spec->disk_gb(), 1);
}

TEST(RequestSpec, ReadsTheGroupThatAnOlderConductorSends) {
  const auto spec = parse("{}", R"({"group_policies": ["anti-affinity"], "group_hosts": ["h1"]})");
  ASSERT_TRUE(spec);
  ASSERT_TRUE(spec->group.has_value());
  EXPECT_EQ(spec->group->policy, "anti-affinity");
  EXPECT_THAT(spec->group->hosts, ElementsAre("h1"));
  const auto without_policy = parse("{}", R"({"group_hosts": ["h1"], "scheduler_hints": {"group": "g"}})");
  ASSERT_TRUE(without_policy && without_policy->group);
  EXPECT_EQ(without_policy->group->policy, "");
  EXPECT_THAT(without_policy->group->hosts, ElementsAre("h1"));
}

struct Wrong {
  const char* name;
  const char* spec;
  const char* complaint;
};

class WrongRequestSpec : public testing::TestWithParam<Wrong> {};

TEST_P(WrongRequestSpec, RefusesItNamingTheMemberAndTheFoundValue) {
  const auto spec = parse(GetParam().spec);
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(spec.error().message, HasSubstr(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    Each, WrongRequestSpec,
    testing::Values(
        Wrong{"NotAnObject", "[]", "expected an object, found []"},
        Wrong{"NegativeVcpus", R"({"flavor": {"vcpus": -1}})",
              "flavor.vcpus: expected a whole number from 0 to a million million, found -1"},
        Wrong{"TextForMemory", R"({"flavor": {"memory_mb": "lots"}})", "flavor.memory_mb"},
        Wrong{"NoInstances", R"({"num_instances": 0})", "num_instances: expected 1 to 10000, found 0"},
        Wrong{"TooManyInstances", R"({"num_instances": 1000000})", "num_instances"},
        Wrong{"BadUuid", R"({"instance_uuids": ["x"]})", "instance_uuids: expected UUIDs, found \"x\""},
        Wrong{"SameUuidTwice",
              R"({"instance_uuids": ["990b279d-8220-4153-854d-544785dad4c1", "990b279d-8220-4153-854d-544785dad4c1"]})",
              "each UUID once"},
        Wrong{"HintsNotAnObject", R"({"scheduler_hints": 3})", "scheduler_hints: expected an object, found 3"},
        Wrong{"ForcedHostsNotTexts", R"({"force_hosts": [1]})", "force_hosts: expected a list of texts"},
        Wrong{"FlavorNotAnObject", R"({"flavor": "m1.tiny"})", "flavor: expected an object"}),
    [](const auto& wrong) { return wrong.param.name; });

}  // namespace
}  // namespace gantry::scheduling
