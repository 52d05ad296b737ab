// SPDX-License-Identifier: Apache-2.0
//
// What a filter or a weigher of another library is asked with: the driver's own call, not the host table.
#pragma once

#include <gantry/driver.hpp>

namespace filter_driver {

struct asking {
  gantry::call& call;
  const gantry::request& request;
  gantry::view view;  // the request's, or the derived one that shows the instances placed before
  std::uint32_t instance = 0;
};

}  // namespace filter_driver
