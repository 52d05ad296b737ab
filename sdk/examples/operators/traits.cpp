// SPDX-License-Identifier: Apache-2.0
//
// Rules that read the traits of a host. The host's agent reports them as one text, separated by commas.
#include <gantry/filter.hpp>
#include <gantry/weigher.hpp>

#include "operators.hpp"
#include "request_facts.hpp"
#include "text_list.hpp"

namespace operators {
namespace {

bool has_trait(const gantry::host_row_view& host, std::string_view trait) {
  return has_word(host.text("stats.traits"), trait);
}

// Returns the trait of the network group that a server group of this policy names in its rules. Empty: the request has
// no such group.
std::string network_group_trait(const gantry::request& request, std::string_view policy) {
  const gantry_group* group = request.group();
  if (group == nullptr || gantry::text(group->policy) != policy) return {};
  std::string name = gantry::json_value(gantry::text(group->rules))["network_group"].text().value_or("");
  for (char& letter : name) {
    letter = letter == '-' || letter == '/' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return name.empty() ? name : "CUSTOM_NETGROUP_" + name;
}

}  // namespace

// sapcc/nova, nova/scheduler/weights/decommissioning.py
gantry_offer decommissioning_weigher() {
  return gantry::offer_host_weigher(
      "DecommissioningWeigher",
      [](const gantry::host_row_view& host, const gantry::request&) -> std::optional<double> {
        return has_trait(host, "CUSTOM_DECOMMISSIONING") ? -1 : 0;
      },
      "decommissioning_weight_multiplier");
}

// sapcc/nova, nova/scheduler/weights/sapphire_rapids.py
gantry_offer sapphire_rapids_weigher() {
  return gantry::offer_host_weigher(
      "SapphireRapidsWeigher",
      [](const gantry::host_row_view& host, const gantry::request&) -> std::optional<double> {
        return has_trait(host, "CUSTOM_HW_SAPPHIRE_RAPIDS") ? -1 : 0;
      },
      "sapphire_rapids_weight_multiplier");
}

// rackerlabs/understack, python/nova-understack/nova_understack_filters/trait_required_filter.py: the hint
// trait:CUSTOM_NAME=required.
gantry_offer trait_required_filter() {
  return gantry::offer_host_filter(
      "TraitRequiredFilter",
      [](const gantry::host_row_view& host, const gantry::request& request) {
        constexpr std::string_view prefix = "trait:CUSTOM_";
        const char* at = reinterpret_cast<const char*>(request.raw().hints);
        for (std::uint32_t index = 0; index < request.raw().hint_count; ++index, at += request.raw().hint_stride) {
          const gantry_hint& hint = *reinterpret_cast<const gantry_hint*>(at);
          const std::string_view key = gantry::text(hint.key);
          if (key.substr(0, prefix.size()) != prefix || has_trait(host, key.substr(6))) continue;
          for (const gantry_string value : gantry::each(hint.values)) {
            if (gantry::text(value) == "required") return false;
          }
        }
        return true;
      },
      "they lack a trait that a hint requires");
}

// rackerlabs/understack, containers/nova/patches/0002_network_group_affinity_policy.patch
gantry_offer network_group_affinity_filter() {
  return gantry::offer_host_filter(
      "NetworkGroupAffinityFilter",
      [](const gantry::host_row_view& host, const gantry::request& request) {
        const std::string trait = network_group_trait(request, "network-group-affinity");
        return trait.empty() || has_trait(host, trait);
      },
      "they are not in the network group that the server group names");
}

// The same patch.
gantry_offer network_group_anti_affinity_filter() {
  return gantry::offer_host_filter(
      "NetworkGroupAntiAffinityFilter",
      [](const gantry::host_row_view& host, const gantry::request& request) {
        const std::string trait = network_group_trait(request, "network-group-anti-affinity");
        return trait.empty() || !has_trait(host, trait);
      },
      "they are in the network group that the server group avoids");
}

}  // namespace operators
