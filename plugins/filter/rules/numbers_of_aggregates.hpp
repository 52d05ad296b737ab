// SPDX-License-Identifier: Apache-2.0
//
// Numbers that aggregates set for their hosts, as the host table has aggregates.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "hosts/host_table.hpp"
#include "nova/aggregate_values.hpp"

namespace filter_driver {

// The least of the items of `key`; nullopt: there is none, or one that is no such number.
std::optional<double> least_number(const std::vector<const aggregate*>& aggregates, std::string_view key,
                                   number_kind kind, release compatibility);

// Whether any aggregate of the fleet sets `key`.
bool is_set_anywhere(const host_table& hosts, std::string_view key);

}  // namespace filter_driver
