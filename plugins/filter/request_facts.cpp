// SPDX-License-Identifier: Apache-2.0
#include "request_facts.hpp"

namespace filter_driver {

boost::json::value request_facts::hint(std::string_view name) const {
  if (!hints) return nullptr;
  const auto* const found = hints->if_contains(name);
  if (found == nullptr) return nullptr;
  if (const auto* const list = found->if_array(); list != nullptr && list->size() == 1) return list->front();
  return *found;
}

bool request_facts::is_rebuild() const {
  if (!hints) return false;
  const auto* const found = hints->if_contains("_nova_check_type");
  return found != nullptr && *found == boost::json::value(boost::json::array{"rebuild"});
}

}  // namespace filter_driver
