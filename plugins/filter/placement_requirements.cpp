// SPDX-License-Identifier: Apache-2.0
#include "placement_requirements.hpp"

#include <string_view>

namespace filter_driver {

namespace {

// "trait:X", "trait1:X", "trait_group:X", and the same of resources; the flavor's own three say what the hosts' columns
// hold, too.
bool is_of(std::string_view key, std::string_view kind) {
  if (!key.starts_with(kind)) return false;
  const auto colon = key.find(':');
  if (colon == std::string_view::npos) return false;
  const auto between = key.substr(kind.size(), colon - kind.size());
  if (between.empty() || between.front() == '_') return true;
  return between.find_first_not_of("0123456789") == std::string_view::npos;
}

bool needs_placement(std::string_view key) {
  if (is_of(key, "trait")) return true;
  if (!is_of(key, "resources")) return false;
  const auto resource = key.substr(key.find(':') + 1);
  return resource != "VCPU" && resource != "MEMORY_MB" && resource != "DISK_GB";
}

}  // namespace

std::optional<std::string> placement_requirement(const request_facts& request) {
  if (request.flavor && request.flavor->extra_specs) {
    for (const auto& [key, value] : *request.flavor->extra_specs) {
      if (needs_placement(key)) return "flavor extra spec " + key + "=" + value;
    }
  }
  if (request.image) {
    for (const auto& member : request.image->properties) {
      if (is_of(member.key(), "trait")) return "image property " + std::string(member.key());
      if (member.key() == "traits_required" && member.value().is_array() && !member.value().as_array().empty())
        return "image property traits_required";
    }
  }
  return std::nullopt;
}

}  // namespace filter_driver
