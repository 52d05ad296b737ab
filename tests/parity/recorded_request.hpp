// SPDX-License-Identifier: Apache-2.0
//
// The request and the settings of a record, as the filter driver sees them.
#pragma once

#include "nova/options.hpp"
#include "nova/release.hpp"
#include "request/request_facts.hpp"

namespace filter_driver::parity {

// zed, ocata or icehouse.
release release_of(const boost::json::object& record);
request_facts recorded_request(const boost::json::object& record);
// Without the marks of Nova's objects and sets.
boost::json::value unmarked(const boost::json::value& value);
// The spec without the marks of the record, as the core hands it to the driver.
boost::json::object recorded_spec(const boost::json::object& record);
settings recorded_settings(const boost::json::object& record);

}  // namespace filter_driver::parity
