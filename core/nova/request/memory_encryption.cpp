// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/memory_encryption.hpp"

#include <span>
#include <string>
#include <string_view>

#include "core/nova/request/failure.hpp"
#include "core/nova/request/flavor_and_image.hpp"
#include "core/nova/request/python_text.hpp"

namespace gantry::nova {

namespace {

constexpr std::string_view sev = "amd-sev";
constexpr std::string_view sev_snp = "amd-sev-snp";
constexpr std::string_view tdx = "intel-tdx";
constexpr std::string_view models[] = {sev, "amd-sev-es", sev_snp, tdx};

std::span<const std::string_view> models_of(const QuestionRules& rules) {
  return rules.knows_encryption_by_snp_and_tdx ? std::span(models) : std::span(models).first(2);
}

// A flavor and an image that ask for encrypted memory, in a release of Nova.
class Encryption {
 public:
  Encryption(const Flavor& flavor, const Image& image, const QuestionRules& rules)
      : flavor_(flavor), image_(image), rules_(rules) {}

  Result<OptionalText> model() const;

 private:
  Result<std::string> requesters(const Wishes& both) const;
  Result<OptionalText> checked_model(const std::string& requesters) const;
  Result<std::string> asked_model() const;
  Result<void> check_image(const std::string& requesters, std::string_view model) const;
  Result<void> check_machine_type(std::string_view model) const;
  Result<void> check_firmware(const std::string& model) const;
  Result<void> check_video(const std::string& model) const;

  const Flavor& flavor_;
  const Image& image_;
  const QuestionRules& rules_;
};

Result<OptionalText> Encryption::model() const {
  const auto both = wishes(flavor_, "hw:mem_encryption", image_.mem_encryption);
  if (!both.is_any()) return OptionalText();
  if (both.differ())
    return conflict(flavor_, image_,
                    {"hw:mem_encryption", *both.flavor_text, "hw_mem_encryption", shown_bool(*both.image), " property",
                     "", rules_.images_may_lack_a_name});
  const auto found = requesters(both);
  if (!found) return found.error();
  return checked_model(*found);
}

Result<OptionalText> Encryption::checked_model(const std::string& requesters) const {
  if (!rules_.reads_encryption_model_first) {
    if (auto checked = check_image(requesters, "SEV"); !checked) return std::move(checked).error();
  }
  auto model = asked_model();
  if (!model) return std::move(model).error();
  if (rules_.reads_encryption_model_first) {
    if (auto checked = check_image(requesters, *model); !checked) return std::move(checked).error();
  }
  if (auto checked = check_firmware(*model); !checked) return std::move(checked).error();
  if (auto checked = check_video(*model); !checked) return std::move(checked).error();
  return OptionalText(*std::move(model));
}

Result<std::string> Encryption::requesters(const Wishes& both) const {
  std::string found;
  if (both.flavor.value_or(false)) {
    if (!flavor_.name) return unset_in_flavor("name");
    found = "hw:mem_encryption extra spec in " + *flavor_.name + " flavor";
  }
  if (both.image.value_or(false)) {
    if (!image_.id && !rules_.images_may_lack_an_id) return unset_in_object("id");
    found += (found.empty() ? "" : " and ") + ("hw_mem_encryption property of image " + image_.id.value_or("<no-id>"));
  }
  return found;
}

Result<std::string> Encryption::asked_model() const {
  if (!rules_.knows_encryption_models) return std::string(sev);
  const auto of_flavor = flavor_.extra_spec("hw:mem_encryption_model");
  const auto of_image = image_.property("hw_mem_encryption_model");
  if (of_flavor && of_image && of_flavor != of_image)
    return conflict(flavor_, image_,
                    {"hw:mem_encryption_model", *of_flavor, "hw_mem_encryption_model", *of_image, " property", "",
                     rules_.images_may_lack_a_name});
  // Nova notes who asks, by the flavor's name.
  if (has_text(of_flavor) && !flavor_.name) return unset_in_flavor("name");
  const auto asked = has_text(of_image) ? of_image : of_flavor;
  if (!has_text(asked)) return std::string(sev);
  if (is_in(models_of(rules_), *asked)) return *asked;
  return raised("Invalid", "Invalid memory encryption model " + python_repr(*asked) +
                               ". Allowed values: " + joined(models_of(rules_)) + ".");
}

Result<void> Encryption::check_image(const std::string& requesters, std::string_view model) const {
  if (image_.property("hw_firmware_type") == "uefi") return check_machine_type(model);
  if (rules_.reads_encryption_model_first)
    return raised("FlavorImageConflict", "Memory encryption is requested by " + requesters +
                                             " but the image metadata doesn't have the 'hw_firmware_type' property "
                                             "set to 'uefi'");
  if (!image_.name && !rules_.images_may_lack_a_name) return unset_in_object("name");
  return raised("FlavorImageConflict",
                "Memory encryption requested by " + requesters + " but image " + image_.name.value_or("None") +
                    " doesn't have 'hw_firmware_type' property set to 'uefi'" +
                    (rules_.images_may_lack_a_name ? " or volume-backed instance was requested" : ""));
}

Result<void> Encryption::check_machine_type(std::string_view model) const {
  const auto type = image_.property("hw_machine_type");
  if (!type || type->find("q35") != std::string::npos) return {};
  if (!image_.id && !rules_.images_may_lack_an_id) return unset_in_object("id");
  if (!image_.name && !rules_.images_may_lack_a_name) return unset_in_object("name");
  return raised("InvalidMachineType", "Machine type '" + *type + "' is not compatible with image " +
                                          image_.name.value_or("None") + " (" + image_.id.value_or("<no-id>") +
                                          "): q35 type is required for " + std::string(model) + " to work");
}

Result<void> Encryption::check_firmware(const std::string& model) const {
  if (model != sev_snp && model != tdx) return {};
  const auto stateless = wants_stateless_firmware(image_, rules_);
  if (!stateless) return stateless.error();
  if (*stateless) return {};
  return raised("StatelessFirmwareRequired", "The " + model +
                                                 " memory encryption model requires stateless firmware but the image "
                                                 "metadata doesn't have the 'hw_firmware_stateless' property set to "
                                                 "True");
}

Result<void> Encryption::check_video(const std::string& model) const {
  if (model != tdx || image_.property("hw_video_model") == "none") return {};
  return raised("InvalidVideoMode", "The " + model +
                                        " memory encryption model is incompatible with an attached video device. Set "
                                        "the 'hw_video_model' image property to 'none' to disable it");
}

}  // namespace

Result<OptionalText> memory_encryption(const Flavor& flavor, const Image& image, const QuestionRules& rules) {
  return Encryption(flavor, image, rules).model();
}

Result<bool> wants_stateless_firmware(const Image& image, const QuestionRules& rules) {
  if (!rules.knows_stateless_firmware || !image.stateless_firmware.value_or(false)) return false;
  if (image.property("hw_firmware_type") == "uefi") return true;
  if (rules.ignores_stateless_firmware_without_uefi) return false;
  return raised("Invalid", "Stateless firmware is supported only when UEFI firmware type is used.");
}

}  // namespace gantry::nova
