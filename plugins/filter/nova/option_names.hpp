// SPDX-License-Identifier: Apache-2.0
//
// Names in the options of the driver, and what to say about one that is not known.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace filter_driver {

// "nova.scheduler.weights.ram.RAMWeigher" -> "RAMWeigher".
std::string_view last_part(std::string_view dotted);

// "did you mean 'RamFilter'?", or the list of all that there are where none is near.
std::string advice_for(std::string_view name, std::span<const std::string_view> known);

}  // namespace filter_driver
