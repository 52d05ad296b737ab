// SPDX-License-Identifier: Apache-2.0
//
// The attributes of Nova's HostState by name, for filters whose requests name host attributes.
#pragma once

#include <boost/json.hpp>
#include <string_view>

namespace filter_driver {

struct attributes {
  // Returns the attribute of this name. nullptr: the host state does not have it. A null value is Python's None. The
  // value lives as long as its source.
  virtual const boost::json::value* find(std::string_view name) const = 0;
  virtual ~attributes() = default;
};

}  // namespace filter_driver
