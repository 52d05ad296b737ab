// SPDX-License-Identifier: Apache-2.0
//
// What a filter that names host attributes by text reads them from: the attributes of Nova's HostState.
#pragma once

#include <boost/json.hpp>
#include <string_view>

namespace filter_driver {

struct attributes {
  // The attribute of that name; nullptr: the host state has none. A null value is Python's None. It lasts as long as
  // the source does.
  virtual const boost::json::value* find(std::string_view name) const = 0;
  virtual ~attributes() = default;
};

}  // namespace filter_driver
