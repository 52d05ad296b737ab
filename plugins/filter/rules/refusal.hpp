// SPDX-License-Identifier: Apache-2.0
//
// The end of a request at which Nova's filter would have raised.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "python/outcome.hpp"
#include "rules/weigher.hpp"

namespace filter_driver {

// Throws gantry::failure with invalid_argument and a sentence that names the filter, the host of the row and the error.
[[noreturn]] void refuse(std::string_view filter, const host_table& hosts, std::uint32_t row, const raised& error);

// Runs that refuse the first candidate they are asked for: the request is at fault, whatever the host is.
std::unique_ptr<filter_run> refuses_any(std::string_view filter, const host_table& hosts, raised error);
std::unique_ptr<weigher_run> refuses_any_weight(std::string_view weigher, const host_table& hosts, raised error);

}  // namespace filter_driver
