// SPDX-License-Identifier: Apache-2.0
//
// The question of each release of Nova for one request.
#include "core/nova/request/question_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/nova/request/request_fixture.hpp"

namespace gantry::nova {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class CloudOfVersion : public FakeCloud {
 public:
  explicit CloudOfVersion(std::int64_t lowest) : lowest_(lowest) {}
  std::int64_t lowest_compute_version() const override { return lowest_; }

 private:
  std::int64_t lowest_;
};

RequestOptions options_of(std::string_view release) {
  RequestOptions options;
  const auto* const rules = questions_of(release);
  if (rules == nullptr)
    ADD_FAILURE() << release;
  else
    options.rules = *rules;
  return options;
}

std::string asked_by(std::string_view release, const json::object& spec) {
  return asked(spec, options_of(release));
}

TEST(QuestionRules, AreKnownByTheNamesOfReleases) {
  for (const auto& each : all_questions) EXPECT_EQ(questions_of(each.release), &each);
  EXPECT_EQ(questions_of("ocata"), nullptr);
}

TEST(QuestionRules, AskTheSameForASmallServerInEveryReleaseButForItsOwnProviders) {
  for (const auto& each : all_questions)
    EXPECT_EQ(asked_by(each.release, small_server()), asked(small_server())) << each.release;
}

TEST(QuestionRules, AskForTheZoneFromBobcatOnWhateverTheOptionSays) {
  FakeCloud cloud;
  cloud.known_aggregates = {{"a1", {{"availability_zone", "az1"}}}};
  const auto spec = with_member("availability_zone", "az1");
  for (const auto& [release, asks] : {std::pair{"antelope", false}, std::pair{"bobcat", true}}) {
    auto options = options_of(release);
    options.query_placement_for_availability_zone = false;
    EXPECT_EQ(asked(spec, options, cloud).find("member_of") != std::string::npos, asks) << release;
  }
}

TEST(QuestionRules, AskForTheModelOfATpmFromDalmatianOn) {
  const auto spec = with_extra_specs({{"hw:tpm_version", "2.0"}, {"hw:tpm_model", "tpm-crb"}});
  EXPECT_THAT(asked_by("caracal", spec), Not(HasSubstr("COMPUTE_SECURITY_TPM_CRB")));
  EXPECT_THAT(asked_by("dalmatian", spec), HasSubstr("COMPUTE_SECURITY_TPM_2_0%2CCOMPUTE_SECURITY_TPM_CRB"));
}

TEST(QuestionRules, AskForTheSecretsOfATpmFromGazpachoOnAndFindNoHostForAnUnknownKind) {
  auto spec = with_extra_specs({{"hw:tpm_version", "2.0"}});
  EXPECT_THAT(asked_by("flamingo", spec), Not(HasSubstr("SECRET")));
  EXPECT_THAT(asked_by("gazpacho", spec), HasSubstr("COMPUTE_SECURITY_TPM_SECRET_SECURITY_USER"));
  spec = with_extra_specs({{"hw:tpm_version", "2.0"}, {"hw:tpm_secret_security", "safe"}});
  EXPECT_EQ(asked_by("gazpacho", spec),
            "NoValidHost: No valid host was found. Scheduling failed: TPM secret security 'safe' is not supported.");
}

TEST(QuestionRules, RefuseStatelessFirmwareWithoutUefiUntilHibiscus) {
  const auto spec = with_extra_specs({}, {{"hw_firmware_stateless", true}});
  EXPECT_EQ(asked_by("caracal", spec), asked(small_server()));
  EXPECT_EQ(asked_by("gazpacho", spec),
            "Invalid: Stateless firmware is supported only when UEFI firmware type is used.");
  EXPECT_EQ(asked_by("hibiscus", spec), asked(small_server()));
  const auto with_uefi = with_extra_specs({}, {{"hw_firmware_stateless", true}, {"hw_firmware_type", "uefi"}});
  EXPECT_THAT(asked_by("hibiscus", with_uefi), HasSubstr("required=COMPUTE_SECURITY_STATELESS_FIRMWARE"));
}

TEST(QuestionRules, AskForTheProcessorsFeatureForEncryptedMemoryFromFlamingoOn) {
  const json::object properties{{"hw_firmware_type", "uefi"}, {"hw_firmware_stateless", true}};
  const auto spec =
      with_extra_specs({{"hw:mem_encryption", "true"}, {"hw:mem_encryption_model", "amd-sev-snp"}}, properties);
  EXPECT_THAT(asked_by("epoxy", spec), AllOf(HasSubstr("MEM_ENCRYPTION_CONTEXT"), Not(HasSubstr("HW_CPU_X86_AMD"))));
  EXPECT_EQ(asked_by("flamingo", spec),
            "Invalid: Invalid memory encryption model 'amd-sev-snp'. Allowed values: amd-sev, amd-sev-es.");
  EXPECT_THAT(asked_by("hibiscus", spec), HasSubstr("HW_CPU_X86_AMD_SEV_SNP"));
}

TEST(QuestionRules, AskForIntelsEncryptedMemoryFromHibiscusOn) {
  const json::object encrypted{{"hw:mem_encryption", "true"}, {"hw:mem_encryption_model", "intel-tdx"}};
  json::object properties{{"hw_firmware_type", "uefi"}, {"hw_machine_type", "pc"}};
  const auto answer = [&](const std::string& level) {
    return asked_by(level, with_extra_specs(encrypted, properties));
  };
  EXPECT_EQ(answer("hibiscus"),
            "InvalidMachineType: Machine type 'pc' is not compatible with image jammy (i1): q35 type is required for "
            "intel-tdx to work");
  properties["hw_machine_type"] = "q35";
  EXPECT_EQ(answer("gazpacho"),
            "Invalid: Invalid memory encryption model 'intel-tdx'. Allowed values: amd-sev, amd-sev-es.");
  EXPECT_THAT(answer("hibiscus"), StartsWith("StatelessFirmwareRequired: The intel-tdx memory encryption model"));
  properties["hw_firmware_stateless"] = true;
  EXPECT_THAT(answer("hibiscus"), StartsWith("InvalidVideoMode: The intel-tdx memory encryption model"));
  properties["hw_video_model"] = "none";
  EXPECT_THAT(answer("hibiscus"), AllOf(HasSubstr("HW_CPU_X86_INTEL_TDX"), HasSubstr("MEM_ENCRYPTION_CONTEXT")));
}

TEST(QuestionRules, AskForNovasOwnProvidersOnceEveryComputeSaysSo) {
  const auto options = options_of("hibiscus");
  EXPECT_THAT(asked(small_server(), options, CloudOfVersion(72)), Not(HasSubstr("OWNER_NOVA")));
  EXPECT_THAT(asked(small_server(), options, CloudOfVersion(73)), HasSubstr("root_required=OWNER_NOVA%2C"));
  EXPECT_THAT(asked(small_server(), options_of("gazpacho"), CloudOfVersion(73)), Not(HasSubstr("OWNER_NOVA")));
}

TEST(QuestionRules, AskForNovasOwnDevicesOnlyInTheGroupsOfAFlavorsDevices) {
  auto spec = with_member(
      "pci_requests",
      {{"requests", {{{"alias_name", "gpu"}, {"request_id", "d1"}}, {{"alias_name", nullptr}, {"request_id", "d2"}}}}});
  const auto group = [](const char* id) {
    return json::object{{"requester_id", id}, {"resources", {{"CUSTOM_GPU", 1}}}};
  };
  spec["requested_resources"] = {group("d1-0"), group("d2-0")};
  const auto query = asked(spec, options_of("hibiscus"), CloudOfVersion(73));
  EXPECT_THAT(query, AllOf(HasSubstr("requiredd1-0=OWNER_NOVA"), Not(HasSubstr("requiredd2-0"))));
}

}  // namespace
}  // namespace gantry::nova
