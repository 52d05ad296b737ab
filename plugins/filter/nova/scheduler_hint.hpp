// SPDX-License-Identifier: Apache-2.0
//
// A scheduler hint of a request, as RequestSpec.get_scheduler_hint() gives it.
#pragma once

#include <boost/json.hpp>
#include <string_view>

namespace filter_driver {

// nullptr: there is no such hint. Hints are kept in lists; a list of one stands for what it holds.
const boost::json::value* scheduler_hint(const boost::json::object& hints, std::string_view name);

}  // namespace filter_driver
