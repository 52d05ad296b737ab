// SPDX-License-Identifier: Apache-2.0
//
// Numbers in the metadata of aggregates, read from the host table.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "hosts/host_table.hpp"
#include "nova/aggregate_values.hpp"

namespace filter_driver {

// Returns the least number that the aggregates have under `key` in their metadata. nullopt if no aggregate has the key,
// or if a value is not a number of `kind`. Icehouse reads only the value that sorts first as a text.
std::optional<double> least_number(const std::vector<const aggregate*>& aggregates, std::string_view key,
                                   number_kind kind, release compatibility);

// Returns true if any aggregate of the host table has `key`.
bool is_set_anywhere(const host_table& hosts, std::string_view key);

}  // namespace filter_driver
