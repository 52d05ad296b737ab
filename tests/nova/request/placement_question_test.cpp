// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/placement_question.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nova/request/routed_networks.hpp"
#include "tests/nova/request/request_fixture.hpp"

namespace gantry::nova {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

FakeCloud three_nodes() {
  FakeCloud cloud;
  cloud.nodes = {{"h1", "n1", "u1"}, {"h2", "n2", "u2"}, {"h2", "n3", "u3"}};
  return cloud;
}

TEST(PlacementQuestion, AForcedHostWithOneNodeIsTheTreeToSearch) {
  EXPECT_THAT(asked(with_member("force_hosts", json::array{"h1"}), {}, three_nodes()),
              StartsWith("in_tree=u1&limit=1000&"));
  auto spec = with_member("force_hosts", json::array{"h2"});
  spec["force_nodes"] = json::array{"n3"};
  EXPECT_THAT(asked(spec, {}, three_nodes()), StartsWith("in_tree=u3&limit=1000&"));
}

TEST(PlacementQuestion, AForcedHostWithSeveralNodesTakesTheLimitAway) {
  EXPECT_THAT(asked(with_member("force_hosts", json::array{"h2"}), {}, three_nodes()), StartsWith("resources="));
}

TEST(PlacementQuestion, AForcedHostThatIsUnknownIsNoValidHost) {
  EXPECT_EQ(asked(with_member("force_hosts", json::array{"h9"}), {}, three_nodes()),
            "NoValidHost: No valid host was found. No such host - host: h9 node: None ");
}

TEST(PlacementQuestion, TheDestinationComesBeforeAForcedHostAndLearnsBothNames) {
  auto spec = with_member("requested_destination", {{"node", "n1"}, {"cell", {{"uuid", "c1"}}}});
  spec["force_nodes"] = json::array{"n2"};
  const auto cloud = three_nodes();
  const auto question = placement_question(spec, {}, cloud);
  ASSERT_TRUE(question) << question.error().message;
  EXPECT_THAT(question->query, StartsWith("in_tree=u1&"));
  const auto& destination = question->spec.at("requested_destination");
  EXPECT_EQ(destination.at("host"), "h1");
  EXPECT_EQ(destination.at("node"), "n1");
  EXPECT_EQ(cloud.asked_cell, "c1");
}

TEST(PlacementQuestion, TheDestinationsAggregatesAreRequiredAndForbidden) {
  const auto spec = with_member("requested_destination", {{"aggregates", json::array{"b,a", "c"}},
                                                          {"forbidden_aggregates", json::array{"e", "d"}}});
  EXPECT_THAT(asked(spec), HasSubstr("&member_of=%21in%3Ad%2Ce&member_of=in%3Aa%2Cb&member_of=in%3Ac&"));
}

TEST(PlacementQuestion, HintsThatNameOtherServersTakeTheLimitAway) {
  for (const auto* const hint : {"group", "same_host", "different_host"})
    EXPECT_THAT(asked(with_member("scheduler_hints", {{hint, json::array{"x"}}})), StartsWith("resources=")) << hint;
  EXPECT_THAT(asked(with_member("scheduler_hints", {{"other", json::array{"x"}}})), StartsWith("limit=1000&"));
}

TEST(PlacementQuestion, TheLimitIsAnOption) {
  RequestOptions options;
  options.max_placement_results = 7;
  EXPECT_THAT(asked(small_server(), options), StartsWith("limit=7&"));
}

TEST(PlacementQuestion, DedicatedCpusAreAskedASecondTimeAsVcpus) {
  const auto spec = with_extra_specs({{"hw:cpu_policy", "dedicated"}, {"hw:cpu_thread_policy", "require"}});
  const auto question = placement_question(spec, {}, FakeCloud());
  ASSERT_TRUE(question) << question.error().message;
  EXPECT_EQ(question->query, query_of("DISK_GB:10,MEMORY_MB:512,PCPU:2", "required=HW_CPU_HYPERTHREADING&"));
  EXPECT_EQ(question->fallback_query, query_of("DISK_GB:10,MEMORY_MB:512,VCPU:2"));
  RequestOptions options;
  options.disable_fallback_pcpu_query = true;
  EXPECT_FALSE(placement_question(spec, options, FakeCloud())->fallback_query);
  EXPECT_FALSE(placement_question(small_server(), {}, FakeCloud())->fallback_query);
}

json::object enveloped(const std::string& name, const json::object& data) {
  return {{"nova_object.name", name},
          {"nova_object.namespace", "nova"},
          {"nova_object.version", "1.0"},
          {"nova_object.data", data},
          {"nova_object.changes", json::array{"x"}}};
}

TEST(PlacementQuestion, AVersionedObjectIsAskedAsAPlainOne) {
  auto data = small_server();
  data["flavor"] = enveloped("Flavor", data["flavor"].as_object());
  data["image"].as_object()["properties"] = enveloped("ImageMetaProps", {{"hw_cpu_policy", "dedicated"}});
  data["image"] = enveloped("ImageMeta", data["image"].as_object());
  const auto question = placement_question(enveloped("RequestSpec", data), {}, FakeCloud());
  ASSERT_TRUE(question) << question.error().message;
  EXPECT_EQ(question->query, query_of("DISK_GB:10,MEMORY_MB:512,PCPU:2"));
  EXPECT_THAT(json::write(question->spec), Not(HasSubstr("nova_object")));
}

TEST(PlacementQuestion, TheSpecShowsWhatTheFiltersAdded) {
  FakeCloud cloud;
  cloud.known_aggregates = {{"a1", {{"availability_zone", "az1"}}}};
  const auto question = placement_question(with_member("availability_zone", "az1"), {}, cloud);
  ASSERT_TRUE(question) << question.error().message;
  EXPECT_EQ(json::write(question->spec.at("requested_destination")), R"({"aggregates":["a1"]})");
  EXPECT_EQ(json::write(question->spec.at("request_level_params").at("root_forbidden")),
            R"(["COMPUTE_STATUS_DISABLED"])");
}

TEST(PlacementQuestion, TheSpecKeepsNoUrlOfACell) {
  const auto spec = with_member(
      "requested_destination",
      {{"cell",
        {{"uuid", "c1"}, {"transport_url", "rabbit://u:secret@h"}, {"database_connection", "mysql://secret"}}}});
  const auto question = placement_question(spec, {}, FakeCloud());
  ASSERT_TRUE(question) << question.error().message;
  EXPECT_EQ(json::write(question->spec.at("requested_destination")), R"({"cell":{"uuid":"c1"}})");
}

TEST(PlacementQuestion, APortIsToBeLookedUpOnce) {
  const json::array networks = {json::object{{"port_id", "b"}}, json::object{{"port_id", "a"}},
                                json::object{{"port_id", "b"}}, json::object{{"network_id", "n"}}};
  const auto spec = read_request_spec(with_member("requested_networks", networks));
  ASSERT_TRUE(spec);
  EXPECT_THAT(ports_to_look_up(*spec), ::testing::ElementsAre("a", "b"));
}

}  // namespace
}  // namespace gantry::nova
