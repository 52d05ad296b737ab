// SPDX-License-Identifier: Apache-2.0
//
// The attributes of one host, those of Nova's HostState, by name. For filters whose requests name host attributes.
#pragma once

#include <boost/json.hpp>
#include <string_view>

namespace filter_driver {

struct attributes {
  // Returns the attribute of this name. nullptr: the host state does not have the attribute. A null value is Python's
  // None. The value stays valid until this object moves to another host or ends.
  virtual const boost::json::value* find(std::string_view name) const = 0;
  virtual ~attributes() = default;
};

}  // namespace filter_driver
