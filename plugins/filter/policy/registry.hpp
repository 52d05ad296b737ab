// SPDX-License-Identifier: Apache-2.0
//
// The built-in filters and weighers by the names of Nova's classes, in the order of nova_classes.txt.
#pragma once

#include <span>
#include <string_view>

#include "rules/filter.hpp"
#include "rules/weigher.hpp"

namespace filter_driver {

std::span<const filter_rule* const> filter_rules();
std::span<const weigher_rule* const> weigher_rules();

// Returns the rule of that name. nullptr if there is none.
const filter_rule* find_filter(std::string_view name);
const weigher_rule* find_weigher(std::string_view name);

}  // namespace filter_driver
