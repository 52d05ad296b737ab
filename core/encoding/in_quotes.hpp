// SPDX-License-Identifier: Apache-2.0
//
// Shows a stranger's text in a message of one line.
#pragma once

#include <string>
#include <string_view>

namespace gantry {

// Returns the text in quotes, cut after 200 bytes. Bytes that are not printable ASCII are escaped.
std::string in_quotes(std::string_view text);

}  // namespace gantry
