// SPDX-License-Identifier: Apache-2.0
//
// The input of a filter or a weigher of another library. A rule of another library reads the driver's own call, request
// and view instead of the host table.
#pragma once

#include <gantry/driver.hpp>

namespace filter_driver {

struct asking {
  gantry::call& call;
  const gantry::request& request;
  gantry::view view;           // the request's view, or the derived view with the instances placed before
  std::uint32_t instance = 0;  // index of the instance to place
};

}  // namespace filter_driver
