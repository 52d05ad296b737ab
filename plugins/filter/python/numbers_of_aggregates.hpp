// SPDX-License-Identifier: Apache-2.0
//
// Numbers that aggregates set for their hosts: Nova takes the least of a host's aggregates, and the configuration's
// where there is none or any of them is no number.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "host_table.hpp"

namespace filter_driver {

// The least of the items of `key`, as float() reads them; nullopt: none, or one that it does not read.
std::optional<double> least_number(const std::vector<const aggregate*>& aggregates, std::string_view key);
// The same as int() reads them.
std::optional<std::int64_t> least_integer(const std::vector<const aggregate*>& aggregates, std::string_view key);

}  // namespace filter_driver
