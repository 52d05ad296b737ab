// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/resource_request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/nova/request/request_fixture.hpp"

namespace gantry::nova {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ResourceRequest, AsksForTheFlavorsCpusMemoryAndDisk) {
  EXPECT_EQ(asked(small_server()), query_of("DISK_GB:10,MEMORY_MB:512,VCPU:2"));
}

TEST(ResourceRequest, TheDiskIsRootEphemeralAndSwapInWholeGib) {
  auto spec = small_server();
  spec["flavor"].as_object()["ephemeral_gb"] = 5;
  spec["flavor"].as_object()["swap"] = 1025;
  EXPECT_EQ(asked(spec), query_of("DISK_GB:17,MEMORY_MB:512,VCPU:2"));
  spec["is_bfv"] = true;
  EXPECT_EQ(asked(spec), query_of("DISK_GB:7,MEMORY_MB:512,VCPU:2"));
}

TEST(ResourceRequest, ABootFromVolumeWithoutOtherDisksAsksForNoDisk) {
  EXPECT_EQ(asked(with_member("is_bfv", true)), query_of("MEMORY_MB:512,VCPU:2"));
}

TEST(ResourceRequest, AnExtraSpecTakesThePlaceOfTheFlavorsAmount) {
  EXPECT_EQ(asked(with_extra_specs({{"resources:VCPU", "7"}, {"resources:CUSTOM_GOLD", "1"}})),
            query_of("CUSTOM_GOLD:1,DISK_GB:10,MEMORY_MB:512,VCPU:7"));
  EXPECT_EQ(asked(with_extra_specs({{"resources:PCPU", "1"}})), query_of("DISK_GB:10,MEMORY_MB:512,PCPU:1"));
}

TEST(ResourceRequest, AnAmountOfZeroTakesTheClassOut) {
  EXPECT_EQ(asked(with_extra_specs({{"resources:VCPU", "0"}, {"resources:DISK_GB", "0"}})), query_of("MEMORY_MB:512"));
}

TEST(ResourceRequest, AnAmountThatIsNoWholeNumberIsIgnored) {
  for (const auto* const amount : {"-1", "2.5", "x", "", "1__0", "0x10"})
    EXPECT_EQ(asked(with_extra_specs({{"resources:VCPU", amount}})), asked(small_server())) << amount;
}

TEST(ResourceRequest, AnAmountIsReadAsPythonReadsIt) {
  EXPECT_EQ(asked(with_extra_specs({{"resources:VCPU", " +1_0 "}})), query_of("DISK_GB:10,MEMORY_MB:512,VCPU:10"));
  EXPECT_EQ(asked(with_extra_specs({{"resources:VCPU", "99999999999999999999999"}})),
            query_of("DISK_GB:10,MEMORY_MB:512,VCPU:99999999999999999999999"));
}

TEST(ResourceRequest, AClassThatIsNeitherStandardNorCustomIsIgnored) {
  EXPECT_EQ(asked(with_extra_specs({{"resources:BOGUS", "1"}})), asked(small_server()));
}

TEST(ResourceRequest, ASuffixMakesAGroupOfItsOwn) {
  const auto query = asked(with_extra_specs(
      {{"resources_gpu:VGPU", "1"}, {"trait_gpu:CUSTOM_FAST", "required"}, {"trait_gpu:CUSTOM_OLD", "forbidden"}}));
  EXPECT_THAT(query, HasSubstr("resources_gpu=VGPU%3A1"));
  EXPECT_THAT(query, HasSubstr("required_gpu=CUSTOM_FAST%2C%21CUSTOM_OLD"));
}

TEST(ResourceRequest, AKeyWithAnotherPatternIsIgnored) {
  const std::string longest(64, 's');
  EXPECT_THAT(asked(with_extra_specs({{"resources" + longest + ":VGPU", "1"}})), HasSubstr("VGPU"));
  for (const auto& key : {std::string("resources"), "resources" + longest + "s:VGPU", std::string("resources gpu:VGPU"),
                          std::string("xresources:VGPU"), std::string("resources:VGPU\nx")})
    EXPECT_EQ(asked(with_extra_specs({{key, "1"}})), asked(small_server())) << key;
}

TEST(ResourceRequest, TraitsOfTheImageAreRequired) {
  EXPECT_THAT(
      asked(with_extra_specs({{"trait:HW_CPU_X86_AVX", "required"}}, {{"traits_required", json::array{"CUSTOM_A"}}})),
      HasSubstr("required=CUSTOM_A%2CHW_CPU_X86_AVX&"));
}

TEST(ResourceRequest, DedicatedCpusArePcpus) {
  EXPECT_EQ(asked(with_extra_specs({{"hw:cpu_policy", "dedicated"}})), query_of("DISK_GB:10,MEMORY_MB:512,PCPU:2"));
  EXPECT_EQ(asked(with_extra_specs({}, {{"hw_cpu_policy", "dedicated"}})), query_of("DISK_GB:10,MEMORY_MB:512,PCPU:2"));
}

TEST(ResourceRequest, AnIsolatedEmulatorThreadTakesOneDedicatedCpuMore) {
  EXPECT_EQ(asked(with_extra_specs({{"hw:cpu_policy", "dedicated"}, {"hw:emulator_threads_policy", "isolate"}})),
            query_of("DISK_GB:10,MEMORY_MB:512,PCPU:3"));
}

TEST(ResourceRequest, AMixedGuestHasTheDedicatedCpusOfItsMask) {
  EXPECT_EQ(asked(with_extra_specs({{"hw:cpu_policy", "mixed"}, {"hw:cpu_dedicated_mask", "^1"}})),
            query_of("DISK_GB:10,MEMORY_MB:512,PCPU:1,VCPU:1"));
  EXPECT_EQ(
      asked(with_extra_specs({{"hw:cpu_policy", "mixed"}, {"hw:cpu_realtime", "yes"}, {"hw:cpu_realtime_mask", "^0"}})),
      query_of("DISK_GB:10,MEMORY_MB:512,PCPU:1,VCPU:1"));
}

TEST(ResourceRequest, AMaskOfAllCpusOrOfOthersIsRefused) {
  for (const auto* const mask : {"0-1", "^0-1", "0-99999999999999999999"})
    EXPECT_EQ(asked(with_extra_specs({{"hw:cpu_policy", "mixed"}, {"hw:cpu_dedicated_mask", mask}})),
              "InvalidMixedInstanceDedicatedMask: Mixed instance must have at least 1 pinned vCPU and 1 unpinned vCPU. "
              "See 'hw:cpu_dedicated_mask'.")
        << mask;
  EXPECT_THAT(asked(with_extra_specs({{"hw:cpu_policy", "mixed"}, {"hw:cpu_dedicated_mask", "1,7"}})),
              HasSubstr("not a subset of vCPUs in the flavor"));
}

TEST(ResourceRequest, ThreadPoliciesAskForTheHyperthreadingTrait) {
  EXPECT_THAT(asked(with_extra_specs({{"hw:cpu_thread_policy", "require"}})),
              HasSubstr("required=HW_CPU_HYPERTHREADING&"));
  EXPECT_THAT(asked(with_extra_specs({{"hw:cpu_thread_policy", "isolate"}})),
              HasSubstr("required=%21HW_CPU_HYPERTHREADING&"));
}

TEST(ResourceRequest, AnImageMustNotContradictTheFlavorsCpuPolicies) {
  EXPECT_THAT(asked(with_extra_specs({{"hw:cpu_policy", "shared"}}, {{"hw_cpu_policy", "dedicated"}})),
              HasSubstr("ImageCPUPinningForbidden: "));
  EXPECT_THAT(asked(with_extra_specs({{"hw:cpu_thread_policy", "isolate"}}, {{"hw_cpu_thread_policy", "require"}})),
              HasSubstr("ImageCPUThreadPolicyForbidden: "));
  EXPECT_EQ(asked(with_extra_specs({{"hw:cpu_policy", "bogus"}})),
            "InvalidCPUAllocationPolicy: CPU policy requested from 'flavor extra specs' is invalid, given: 'bogus', "
            "available: '('dedicated', 'shared', 'mixed')'.");
}

TEST(ResourceRequest, MemoryEncryptionNeedsUefiAndQ35) {
  RequestOptions zed;
  zed.rules = zed_questions;
  const json::object encrypted = {{"hw:mem_encryption", "true"}};
  EXPECT_THAT(
      asked(with_extra_specs(encrypted, {{"hw_firmware_type", "uefi"}, {"hw_machine_type", "pc-q35-2.1"}}), zed),
      HasSubstr("MEM_ENCRYPTION_CONTEXT%3A1"));
  EXPECT_EQ(asked(with_extra_specs(encrypted), zed),
            "FlavorImageConflict: Memory encryption requested by hw:mem_encryption extra spec in m1 flavor but image "
            "jammy doesn't have 'hw_firmware_type' property set to 'uefi'");
  EXPECT_EQ(asked(with_extra_specs(encrypted, {{"hw_firmware_type", "uefi"}, {"hw_machine_type", "pc"}}), zed),
            "InvalidMachineType: Machine type 'pc' is not compatible with image jammy (i1): q35 type is required for "
            "SEV to work");
}

TEST(ResourceRequest, DevicesBecomeResourcesAndTraits) {
  EXPECT_THAT(asked(with_extra_specs({{"hw:pmem", "6GB, a-b,6GB"}})),
              HasSubstr("CUSTOM_PMEM_NAMESPACE_6GB%3A2%2CCUSTOM_PMEM_NAMESPACE_A_B%3A1"));
  EXPECT_THAT(asked(with_extra_specs({{"hw:tpm_version", "1.2"}})), HasSubstr("COMPUTE_SECURITY_TPM_1_2"));
  EXPECT_THAT(asked(with_extra_specs({{"os:secure_boot", "required"}})),
              HasSubstr("COMPUTE_SECURITY_UEFI_SECURE_BOOT"));
  EXPECT_THAT(asked(with_extra_specs({{"hw:pci_numa_affinity_policy", "socket"}})),
              HasSubstr("COMPUTE_SOCKET_PCI_NUMA_AFFINITY"));
}

json::object port_group(const json::value& id, const json::object& resources) {
  return {{"requester_id", id}, {"resources", resources}, {"required_traits", json::array{"CUSTOM_PHYSNET"}}};
}

TEST(ResourceRequest, AGroupOfAPortKeepsThePortsIdAsItsSuffix) {
  const auto spec =
      with_member("requested_resources", json::array{port_group("port1", {{"NET_BW_EGR_KILOBIT_PER_SEC", 9}})});
  const auto query = asked(spec);
  EXPECT_THAT(query, HasSubstr("resourcesport1=NET_BW_EGR_KILOBIT_PER_SEC%3A9"));
  EXPECT_THAT(query, HasSubstr("requiredport1=CUSTOM_PHYSNET"));
  EXPECT_THAT(query, Not(HasSubstr("group_policy")));
}

TEST(ResourceRequest, AGroupWithoutAnIdOrOfNothingOrTwiceIsRefused) {
  const auto with_groups = [](const json::array& groups) { return asked(with_member("requested_resources", groups)); };
  EXPECT_THAT(with_groups({port_group(nullptr, {{"VGPU", 1}})}), HasSubstr("ValueError: Missing requester_id"));
  EXPECT_THAT(with_groups({json::object{{"requester_id", "port1"}}}), HasSubstr("ValueError: Refusing to add no-op"));
  EXPECT_EQ(with_groups({port_group("port1", {{"VGPU", 1}}), port_group("port1", {{"VGPU", 1}})}),
            "RequestGroupSuffixConflict: Duplicate request group suffix port1.");
}

TEST(ResourceRequest, SeveralGroupsOfPortsHaveThePolicyNone) {
  auto spec = with_member("requested_resources",
                          json::array{port_group("port1", {{"VGPU", 1}}), port_group("port2", {{"VGPU", 1}})});
  EXPECT_THAT(asked(spec), HasSubstr("group_policy=none&"));
  spec["flavor"].as_object()["extra_specs"] = {{"group_policy", "isolate"}};
  EXPECT_THAT(asked(spec), HasSubstr("group_policy=isolate&"));
}

TEST(ResourceRequest, SeveralGroupsOfTheFlavorHaveNoPolicyUnlessTheFlavorNamesOne) {
  const json::object two = {{"resources1:VGPU", "1"}, {"resources2:VGPU", "1"}, {"group_policy", "bogus"}};
  EXPECT_THAT(asked(with_extra_specs(two)), Not(HasSubstr("group_policy")));
}

TEST(ResourceRequest, TheQueryIsEncodedAsPythonEncodesIt) {
  EXPECT_THAT(asked(with_extra_specs({{"resources:CUSTOM_\xc3\xbc &=~", "1"}})),
              HasSubstr("CUSTOM_%C3%BC+%26%3D~%3A1"));
}

TEST(ResourceRequest, TheSuffixesOfASubtreeAreSorted) {
  const auto spec = with_member("request_level_params", *json::parse(R"({"same_subtree": [["_b", "_a"]]})"));
  EXPECT_THAT(asked(spec), HasSubstr("&same_subtree=_a%2C_b"));
}

}  // namespace
}  // namespace gantry::nova
