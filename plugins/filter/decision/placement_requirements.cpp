// SPDX-License-Identifier: Apache-2.0
#include "decision/placement_requirements.hpp"

#include <string_view>

#include "pci/pools.hpp"
#include "rules/amount.hpp"

namespace filter_driver {

namespace {

// Returns true for the keys "<kind>:X", "<kind>1:X" and "<kind>_group:X".
bool is_of(std::string_view key, std::string_view kind) {
  if (!key.starts_with(kind)) return false;
  const auto colon = key.find(':');
  if (colon == std::string_view::npos) return false;
  const auto between = key.substr(kind.size(), colon - kind.size());
  if (between.empty() || between.front() == '_') return true;
  return between.find_first_not_of("0123456789") == std::string_view::npos;
}

// Returns the amount that the instance takes of a resource, DISK_GB in GiB. Empty if the hosts have no column of the
// resource.
std::optional<double> taken_of(const request_facts& request, std::string_view resource) {
  if (resource == "VCPU") return static_cast<double>(request.flavor->vcpus);
  if (resource == "MEMORY_MB") return static_cast<double>(request.flavor->memory_mb);
  if (resource == "DISK_GB") return request.disk_gb_to_allocate();
  return std::nullopt;
}

// Returns true for the keys that Nova translates into traits and resource classes of a placement query.
bool is_translated(std::string_view key, std::string_view value) {
  if (key == "hw:mem_encryption" || key == "hw_mem_encryption") {
    const boost::json::value given(value);
    return is_true_text(&given);
  }
  if (key == "os:secure_boot" || key == "os_secure_boot") return value == "required";
  return key == "hw:pmem" || key == "accel:device_profile" || key == "hw:tpm_version" || key == "hw:tpm_model" ||
         key == "hw_tpm_version" || key == "hw_tpm_model";
}

bool needs_placement(const request_facts& request, std::string_view key, std::string_view value) {
  if (is_of(key, "trait") || is_translated(key, value)) return true;
  if (!is_of(key, "resources")) return false;
  constexpr std::string_view of_all = "resources:";
  if (!key.starts_with(of_all)) return true;  // resources of a single provider
  const auto own = taken_of(request, key.substr(of_all.size()));
  return !own || value != amount(*own);
}

}  // namespace

std::optional<std::string> placement_requirement(const request_facts& request) {
  if (!request.needs_placement.empty()) return request.needs_placement;
  if (request.flavor && request.flavor->extra_specs) {
    for (const auto& [key, value] : *request.flavor->extra_specs) {
      if (needs_placement(request, key, value)) return "flavor extra spec " + key + "=" + value;
    }
  }
  if (request.image) {
    for (const auto& [key, value] : request.image->properties) {
      const std::string_view text = value.is_string() ? std::string_view(value.get_string()) : "";
      const bool is_true = value.is_bool() && value.get_bool();
      if (is_of(key, "trait") || is_translated(key, is_true ? "true" : text))
        return "image property " + std::string(key);
      if (key == "traits_required" && value.is_array() && !value.get_array().empty())
        return "image property traits_required";
    }
  }
  return std::nullopt;
}

}  // namespace filter_driver
