// SPDX-License-Identifier: Apache-2.0
//
// The questions of each release of Nova for placement, as one table: each release states what it changes. A rule asks for the
// property that it depends on, never for the name of a release.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gantry::nova {

// The rules of one release. All values start as Zed's (October 2022).
struct QuestionRules {
  std::string_view release = "zed";  // as the option compatibility has it

  // [scheduler] query_placement_for_availability_zone may leave zones to a filter.
  bool zones_may_be_left_to_a_filter = true;
  // An image that stands for a volume has no name, or no id. Before, Nova fails where a message shows it.
  bool images_may_lack_a_name = false;
  bool images_may_lack_an_id = false;

  // A flavor and an image may ask for these, each by a trait.
  bool knows_packed_rings = false;        // hw:virtio_packed_ring
  bool knows_address_spaces = false;      // hw:maxphysaddr_mode
  bool knows_tpm_models = false;          // hw:tpm_model
  bool knows_stateless_firmware = false;  // hw_firmware_stateless
  bool knows_vif_model_igb = false;       // the value of hw_vif_model has a trait
  bool knows_sound_models = false;        // hw:sound_model
  bool knows_tpm_secrets = false;         // hw:tpm_secret_security

  // Encrypted memory asks for the processor's own feature: hw:mem_encryption_model. The models amd-sev-snp and intel-tdx
  // need stateless firmware, intel-tdx no video device. The model is read before firmware and machine type are checked.
  bool knows_encryption_models = false;
  bool knows_encryption_by_snp_and_tdx = false;
  bool reads_encryption_model_first = false;
  // Stateless firmware without UEFI asks for nothing. Before, the request fails.
  bool ignores_stateless_firmware_without_uefi = false;

  // Providers are Nova's own: the trait OWNER_NOVA, as soon as every nova-compute sets it.
  bool asks_for_own_providers = false;
};

inline constexpr QuestionRules zed_questions{};

// March 2023. Each of the following is the last that its series published: 27.5.1 here.
inline constexpr QuestionRules antelope_questions = [] {
  auto rules = zed_questions;
  rules.release = "antelope";
  rules.images_may_lack_a_name = true;
  return rules;
}();

// October 2023: 28.3.1.
inline constexpr QuestionRules bobcat_questions = [] {
  auto rules = antelope_questions;
  rules.release = "bobcat";
  rules.zones_may_be_left_to_a_filter = false;
  return rules;
}();

// April 2024: 29.4.0.
inline constexpr QuestionRules caracal_questions = [] {
  auto rules = bobcat_questions;
  rules.release = "caracal";
  rules.images_may_lack_an_id = true;
  rules.knows_packed_rings = true;
  rules.knows_address_spaces = true;
  return rules;
}();

// October 2024: 30.3.0.
inline constexpr QuestionRules dalmatian_questions = [] {
  auto rules = caracal_questions;
  rules.release = "dalmatian";
  rules.knows_tpm_models = true;
  rules.knows_stateless_firmware = true;
  return rules;
}();

// April 2025: 31.3.1.
inline constexpr QuestionRules epoxy_questions = [] {
  auto rules = dalmatian_questions;
  rules.release = "epoxy";
  rules.knows_vif_model_igb = true;
  return rules;
}();

// October 2025: 32.2.1.
inline constexpr QuestionRules flamingo_questions = [] {
  auto rules = epoxy_questions;
  rules.release = "flamingo";
  rules.knows_sound_models = true;
  rules.knows_encryption_models = true;
  return rules;
}();

// April 2026: 33.0.2.
inline constexpr QuestionRules gazpacho_questions = [] {
  auto rules = flamingo_questions;
  rules.release = "gazpacho";
  rules.knows_tpm_secrets = true;
  return rules;
}();

// October 2026: 34.0.0.
inline constexpr QuestionRules hibiscus_questions = [] {
  auto rules = gazpacho_questions;
  rules.release = "hibiscus";
  rules.knows_encryption_by_snp_and_tdx = true;
  rules.reads_encryption_model_first = true;
  rules.ignores_stateless_firmware_without_uefi = true;
  rules.asks_for_own_providers = true;
  return rules;
}();

inline constexpr std::array<QuestionRules, 9> all_questions{
    zed_questions,   antelope_questions, bobcat_questions,   caracal_questions, dalmatian_questions,
    epoxy_questions, flamingo_questions, gazpacho_questions, hibiscus_questions};

// The service version of the first nova-compute that gives its providers the trait OWNER_NOVA.
inline constexpr std::int64_t version_with_owner_trait = 73;

// Returns nullptr if the table has no release of this name.
constexpr const QuestionRules* questions_of(std::string_view release) {
  for (const auto& each : all_questions) {
    if (each.release == release) return &each;
  }
  return nullptr;
}

}  // namespace gantry::nova
