// SPDX-License-Identifier: Apache-2.0
//
// Helpers for names in the driver's options, and the advice for an unknown name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace filter_driver {

// "nova.scheduler.weights.ram.RAMWeigher" -> "RAMWeigher".
std::string_view last_part(std::string_view dotted);

// Returns "did you mean 'RamFilter'?", or the list of all known names if none is similar.
std::string advice_for(std::string_view name, std::span<const std::string_view> known);

}  // namespace filter_driver
