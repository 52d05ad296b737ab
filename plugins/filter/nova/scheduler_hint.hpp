// SPDX-License-Identifier: Apache-2.0
//
// A scheduler hint of a request, as RequestSpec.get_scheduler_hint() gives it.
#pragma once

#include <boost/json.hpp>
#include <string_view>

namespace filter_driver {

// Returns the hint, or nullptr if it is missing. Hints are stored in lists, and a list with one item stands for the
// item.
const boost::json::value* scheduler_hint(const boost::json::object& hints, std::string_view name);

}  // namespace filter_driver
