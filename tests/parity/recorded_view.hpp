// SPDX-License-Identifier: Apache-2.0
//
// The hosts of a record as rows of the SDK's fake host, so that the driver reads them as it reads the core's.
#pragma once

#include <boost/json.hpp>
#include <gantry/testing/fake_host.hpp>
#include <vector>

namespace filter_driver::parity {

// Of Nova's host states, as they would be after their compute nodes reported. `up`: empty: all are.
std::vector<gantry::testing::host_row> rows_of_host_states(const boost::json::array& hosts,
                                                           const std::vector<bool>& up);

// Of a compute node's record.
gantry::testing::host_row row_of_compute_node(const boost::json::object& node);

}  // namespace filter_driver::parity
