// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/request_filters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/nova/request/request_fixture.hpp"

namespace gantry::nova {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(RequestFilters, RunInNovasOrder) {
  std::vector<std::string_view> names;
  for (const auto& filter : request_filters) names.push_back(filter.name);
  EXPECT_THAT(names, ElementsAre("require_tenant_aggregate", "map_az_to_placement_aggregate",
                                 "require_image_type_support", "compute_status_filter", "isolate_aggregates",
                                 "transform_image_metadata", "accelerators_filter", "packed_virtqueue_filter",
                                 "routed_networks_filter", "remote_managed_ports_filter", "ephemeral_encryption_filter",
                                 "virtio_sound_filter", "tpm_secret_security_filter", "owner_nova_filter"));
}

TEST(RequestFilters, ATenantIsHeldToItsAggregates) {
  FakeCloud cloud;
  cloud.known_aggregates = {{"a1", {{"filter_tenant_id", "p1"}}},
                            {"a2", {{"filter_tenant_id_2", "p1"}}},
                            {"a3", {{"other", "p1"}}},
                            {"a4", {{"filter_tenant_id", "p2"}}}};
  RequestOptions options;
  EXPECT_THAT(asked(small_server(), options, cloud), Not(HasSubstr("member_of")));
  options.limit_tenants_to_placement_aggregate = true;
  EXPECT_THAT(asked(small_server(), options, cloud), HasSubstr("member_of=in%3Aa1%2Ca2&"));
}

TEST(RequestFilters, ATenantWithoutAggregatesFindsNoHostIfOneIsRequired) {
  RequestOptions options;
  options.limit_tenants_to_placement_aggregate = true;
  EXPECT_EQ(asked(small_server(), options), asked(small_server()));
  options.placement_aggregate_required_for_tenants = true;
  EXPECT_EQ(asked(small_server(), options),
            "NoValidHost: No valid host was found. Scheduling failed: No hosts available for tenant");
}

TEST(RequestFilters, AnAvailabilityZoneIsTheAggregatesOfItsName) {
  FakeCloud cloud;
  cloud.known_aggregates = {{"a1", {{"availability_zone", "az1"}}}, {"a2", {{"availability_zone", "az1,az2"}}}};
  EXPECT_THAT(asked(with_member("availability_zone", "az1"), {}, cloud), HasSubstr("member_of=in%3Aa1&"));
  EXPECT_THAT(asked(with_member("availability_zone", "az2"), {}, cloud), Not(HasSubstr("member_of")));
}

TEST(RequestFilters, TextsAreComparedAsTheDatabaseComparesThem) {
  class IgnoringCase : public FakeCloud {
   public:
    bool are_equal_in_database(std::string_view a, std::string_view b) const override {
      const auto same = [](char x, char y) { return (x | 0x20) == (y | 0x20); };
      return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same);
    }
  };
  IgnoringCase cloud;
  cloud.known_aggregates = {{"a1", {{"availability_zone", "AZ1"}}}};
  EXPECT_THAT(placement_question(with_member("availability_zone", "az1"), {}, cloud)->query,
              HasSubstr("member_of=in%3Aa1&"));
}

TEST(RequestFilters, ATenantsAggregatesAndAZoneMustBothBeMet) {
  FakeCloud cloud;
  cloud.known_aggregates = {{"a1", {{"filter_tenant_id", "p1"}}}, {"a2", {{"availability_zone", "az1"}}}};
  RequestOptions options;
  options.limit_tenants_to_placement_aggregate = true;
  EXPECT_THAT(asked(with_member("availability_zone", "az1"), options, cloud),
              HasSubstr("member_of=in%3Aa1&member_of=in%3Aa2&"));
}

TEST(RequestFilters, TheImagesDiskFormatIsATraitIfOsTraitsKnowsIt) {
  RequestOptions options;
  options.query_placement_for_image_type_support = true;
  auto spec = small_server();
  EXPECT_THAT(asked(spec, options), HasSubstr("root_required=COMPUTE_IMAGE_TYPE_QCOW2%2C%21COMPUTE_STATUS_DISABLED"));
  spec["is_bfv"] = true;
  EXPECT_THAT(asked(spec, options), EndsWith(disabled_forbidden));
  spec["is_bfv"] = false;
  spec["image"].as_object()["disk_format"] = "unheard_of";
  EXPECT_THAT(asked(spec, options), EndsWith(disabled_forbidden));
}

TEST(RequestFilters, AggregatesOfTraitsThatTheRequestLacksAreIsolated) {
  FakeCloud cloud;
  cloud.known_aggregates = {{"a1", {{"trait:CUSTOM_LICENSED", "required"}}}, {"a2", {{"trait:CUSTOM_A", "required"}}}};
  RequestOptions options;
  options.enable_isolated_aggregate_filtering = true;
  EXPECT_THAT(asked(with_extra_specs({{"trait:CUSTOM_A", "required"}}), options, cloud),
              HasSubstr("member_of=%21in%3Aa1&"));
}

TEST(RequestFilters, ImagePropertiesBecomeTraitsUnlessOneIsUnknown) {
  RequestOptions options;
  options.image_metadata_prefilter = true;
  json::object properties = {{"hw_vif_model", "spapr-vlan"}, {"hw_architecture", "x86_64"}};
  EXPECT_THAT(asked(with_extra_specs({}, properties), options),
              HasSubstr("root_required=COMPUTE_NET_VIF_MODEL_SPAPR_VLAN%2CHW_ARCH_X86_64%2C%21"));
  // os-traits has COMPUTE_VIOMMU_MODEL_INTEL, and Nova computes another name.
  properties["hw_viommu_model"] = "intel";
  EXPECT_THAT(asked(with_extra_specs({}, properties), options), EndsWith(disabled_forbidden));
}

TEST(RequestFilters, ADeviceProfileNeedsAcceleratorSupport) {
  EXPECT_THAT(asked(with_extra_specs({{"accel:device_profile", "fpga"}})),
              HasSubstr("root_required=COMPUTE_ACCELERATORS%2C%21"));
}

TEST(RequestFilters, EphemeralEncryptionIsATraitWithItsFormat) {
  EXPECT_THAT(
      asked(with_extra_specs({{"hw:ephemeral_encryption", "true"}, {"hw:ephemeral_encryption_format", "luks"}})),
      HasSubstr("root_required=COMPUTE_EPHEMERAL_ENCRYPTION%2CCOMPUTE_EPHEMERAL_ENCRYPTION_LUKS%2C%21"));
  EXPECT_EQ(asked(with_extra_specs({{"hw:ephemeral_encryption", "true"}}, {{"hw_ephemeral_encryption", false}})),
            "FlavorImageConflict: Flavor m1 has hw:ephemeral_encryption extra spec explicitly set to true, conflicting "
            "with image jammy which has hw_eph_encryption property explicitly set to False");
}

json::object on_port(const std::string& id) {
  return with_member("requested_networks",
                     {{"objects", json::array{json::object{{"network_id", nullptr}, {"port_id", id}}}}});
}

TEST(RequestFilters, APortThatCannotBeLookedUpIsUnsupported) {
  const auto question = placement_question(on_port("port1"), {}, FakeCloud());
  ASSERT_FALSE(question);
  EXPECT_EQ(question.error().code, ErrorCode::unsupported);
  EXPECT_EQ(question.error().message,
            "the request names port port1, whose VNIC type decides on the hosts, and Neutron cannot be asked");
  EXPECT_EQ(exception_of(question.error()), "");
}

TEST(RequestFilters, ARemoteManagedPortNeedsAHostThatHasThem) {
  FakeCloud cloud;
  cloud.neutron.emplace().ports = {{"port1", {"net1", std::nullopt, true}}, {"port2", {"net1", std::nullopt, false}}};
  EXPECT_THAT(asked(on_port("port1"), {}, cloud), HasSubstr("root_required=COMPUTE_REMOTE_MANAGED_PORTS%2C%21"));
  EXPECT_THAT(asked(on_port("port2"), {}, cloud), EndsWith(disabled_forbidden));
}

json::object on_networks(const std::vector<std::string>& ids) {
  json::array networks;
  for (const auto& id : ids)
    networks.push_back(json::object{{"network_id", id.empty() ? json::value() : json::value(id)}});
  return with_member("requested_networks", networks);
}

class RoutedNetworks : public ::testing::Test {
 protected:
  RoutedNetworks() {
    options.query_placement_for_routed_network_aggregates = true;
    auto& neutron = cloud.neutron.emplace();
    neutron.segments = {{"net1", {"s1", "s2"}}, {"net2", {}}, {"net3", {"s3"}}, {"sub1", {"s2"}}};
    neutron.aggregates = {{"s1", {"a1"}}, {"s2", {"a2"}}, {"s3", {}}};
    neutron.ports = {{"port1", {"net1", "sub1", false}}, {"port2", {"net1", "lost", false}}};
  }
  RequestOptions options;
  FakeCloud cloud;
};

TEST_F(RoutedNetworks, RequireAnAggregateOfOneOfTheirSegments) {
  EXPECT_THAT(asked(on_networks({"net1"}), options, cloud), HasSubstr("member_of=in%3Aa1%2Ca2&"));
  EXPECT_THAT(asked(on_networks({"net2"}), options, cloud), Not(HasSubstr("member_of")));
  EXPECT_THAT(asked(on_port("port1"), options, cloud), HasSubstr("member_of=in%3Aa2&"));
}

TEST_F(RoutedNetworks, FindNoHostWithoutAggregates) {
  EXPECT_EQ(asked(on_networks({"net3"}), options, cloud),
            "NoValidHost: No valid host was found. Scheduling failed: Aggregates not found for the network net3");
  EXPECT_EQ(asked(on_port("port2"), options, cloud),
            "NoValidHost: No valid host was found. Scheduling failed: Aggregates not found for the subnet lost");
}

TEST_F(RoutedNetworks, AnUnnamedNetworkRepeatsTheAggregatesBeforeItAsInNova) {
  EXPECT_THAT(asked(on_networks({"net1", ""}), options, cloud),
              HasSubstr("member_of=in%3Aa1%2Ca2&member_of=in%3Aa1%2Ca2&"));
  EXPECT_THAT(asked(on_networks({""}), options, cloud), HasSubstr("UnboundLocalError: "));
}

TEST_F(RoutedNetworks, AreUnsupportedWithoutNeutron) {
  cloud.neutron.reset();
  const auto question = placement_question(on_networks({"net1"}), options, cloud);
  ASSERT_FALSE(question);
  EXPECT_EQ(question.error().code, ErrorCode::unsupported);
  EXPECT_THAT(question.error().message, HasSubstr("query_placement_for_routed_network_aggregates"));
}

}  // namespace
}  // namespace gantry::nova
