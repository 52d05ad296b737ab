// SPDX-License-Identifier: Apache-2.0
//
// Functions that convert the JSON values that hosts report into the form of Nova's host states.
#pragma once

#include <boost/json.hpp>

namespace filter_driver {

boost::json::value as_it_is(boost::json::value value);
// Serialises a value that is not a string: cpu_info is a JSON text in Nova.
boost::json::value as_text(boost::json::value value);
// Converts a list of metrics into {name: value}. The last metric of a name wins. A metric without "value" of its own,
// such as one with a value for each NUMA node, becomes null.
boost::json::value as_metrics(boost::json::value value);
// Converts Nova's PciDevicePoolList into a list of flat pools: the tags become members of the pool.
boost::json::value as_pools(boost::json::value value);

}  // namespace filter_driver
