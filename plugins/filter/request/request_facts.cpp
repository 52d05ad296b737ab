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

}  // namespace filter_driver
