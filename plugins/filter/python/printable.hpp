// SPDX-License-Identifier: Apache-2.0
//
// Whether repr() of a Python text shows a character as it is (str.isprintable()).
#pragma once

namespace filter_driver {

bool is_printable(char32_t code);

}  // namespace filter_driver
