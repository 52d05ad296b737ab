// SPDX-License-Identifier: Apache-2.0
//
// Functions that convert the JSON values that hosts report into the form of Nova's host states.
#pragma once

#include <boost/json.hpp>

namespace filter_driver {

boost::json::value as_it_is(boost::json::value value);
// Returns a string or null unchanged. Serialises any other value, because cpu_info is a JSON text in Nova.
boost::json::value as_text(boost::json::value value);
// Converts a list of metrics, or its JSON text, into {name: value}. The last metric of a name wins. A metric without
// "value" of its own, such as one with a value for each NUMA node, becomes null. CPU percentages are reported as
// fractions and are multiplied by 100. All numbers are truncated to integers.
boost::json::value as_metrics(boost::json::value value);
// Converts Nova's PciDevicePoolList into a list of flat pools: the tags become members of the pool. Returns null if the
// value has no list of pools.
boost::json::value as_pools(boost::json::value value);

}  // namespace filter_driver
