// SPDX-License-Identifier: Apache-2.0
#include "nova/scheduler_hint.hpp"

namespace filter_driver {

const boost::json::value* scheduler_hint(const boost::json::object& hints, std::string_view name) {
  const boost::json::value* const hint = hints.if_contains(name);
  if (hint == nullptr || !hint->is_array() || hint->get_array().size() != 1) return hint;
  return &hint->get_array().front();
}

}  // namespace filter_driver
