// SPDX-License-Identifier: Apache-2.0
//
// Words of reasons for a rejection. Texts of requests and hosts are shown up to a length, so that each reason stays
// readable.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace filter_driver {

// Returns the text without what is beyond 64 bytes, in place of which "..." stands. Cuts no letter apart.
std::string shortened(std::string_view text);
// Returns the shortened text in quotes: 'az-1'.
std::string quoted(std::string_view text);
// Returns "a", "a and b", "a, b and c". Names three of more than four items: "a, b, c and 5 more".
std::string listed(const std::vector<std::string>& items);
// Returns the unit as it stands after the amount: "vcpu" after 1, else "vcpus".
std::string_view unit_after(double amount, std::string_view unit);

}  // namespace filter_driver
