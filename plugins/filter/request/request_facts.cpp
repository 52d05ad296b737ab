// SPDX-License-Identifier: Apache-2.0
#include "request/request_facts.hpp"

#include "nova/scheduler_hint.hpp"

namespace filter_driver {

boost::json::value request_facts::hint(std::string_view name) const {
  const auto* const found = hints ? scheduler_hint(*hints, name) : nullptr;
  return found == nullptr ? boost::json::value() : *found;
}

bool request_facts::is_rebuild() const {
  if (!hints) return false;
  const auto* const found = hints->if_contains("_nova_check_type");
  return found != nullptr && *found == boost::json::value(boost::json::array{"rebuild"});
}

double request_facts::disk_gb_to_allocate() const {
  constexpr std::int64_t mib_per_gib = 1024;
  const auto& wanted = *flavor;
  const auto swap_gb = wanted.swap / mib_per_gib + (wanted.swap % mib_per_gib > 0 ? 1 : 0);
  return (is_bfv ? 0.0 : static_cast<double>(wanted.root_gb)) + static_cast<double>(wanted.ephemeral_gb) +
         static_cast<double>(swap_gb);
}

}  // namespace filter_driver
