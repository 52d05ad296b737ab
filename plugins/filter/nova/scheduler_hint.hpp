// SPDX-License-Identifier: Apache-2.0
//
// A scheduler hint of a request, as RequestSpec.get_scheduler_hint() gives it.
#pragma once

#include <boost/json.hpp>
#include <string_view>

namespace filter_driver {

// Returns the hint. nullptr if the hint is missing. Nova stores hints in lists, so a list with one item is returned as
// this item.
const boost::json::value* scheduler_hint(const boost::json::object& hints, std::string_view name);

}  // namespace filter_driver
