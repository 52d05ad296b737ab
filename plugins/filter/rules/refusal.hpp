// SPDX-License-Identifier: Apache-2.0
//
// Ends a request with an error where Nova's filter or weigher raises an exception.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "python/outcome.hpp"
#include "rules/weigher.hpp"

namespace filter_driver {

// Throws gantry::failure with invalid_argument and a sentence that names the filter or weigher, the host of the row and
// the error.
[[noreturn]] void refuse(std::string_view filter, const host_table& hosts, std::uint32_t row, const raised& error);

// Return runs that call refuse() for the first candidate. A filter or weigher begins such a run if its error does not
// depend on the host. Without a candidate there is no error, as in Nova.
std::unique_ptr<filter_run> refuses_any(std::string_view filter, const host_table& hosts, raised error);
std::unique_ptr<weigher_run> refuses_any_weight(std::string_view weigher, const host_table& hosts, raised error);

}  // namespace filter_driver
