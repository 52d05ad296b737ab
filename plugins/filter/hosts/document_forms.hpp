// SPDX-License-Identifier: Apache-2.0
//
// The forms into which what hosts report of themselves is put, so that it is as in Nova's host states.
#pragma once

#include <boost/json.hpp>

namespace filter_driver {

boost::json::value as_it_is(boost::json::value value);
// cpu_info is a text of JSON in Nova, whatever it was reported as.
boost::json::value as_text(boost::json::value value);
// {name: value}. Of a list of metrics the last of a name counts. One that has a reading for each NUMA node has none of its
// own.
boost::json::value as_metrics(boost::json::value value);
// The pools of Nova's PciDevicePoolList, each flat: its tags beside its own fields.
boost::json::value as_pools(boost::json::value value);

}  // namespace filter_driver
