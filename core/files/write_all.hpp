// SPDX-License-Identifier: Apache-2.0
//
// Writes a whole text to a descriptor.
#pragma once

#include <string_view>

namespace gantry::files {

// Returns false if not all of the text could be written, and leaves the reason in errno. A signal handler may call it.
bool write_all(int descriptor, std::string_view text) noexcept;

}  // namespace gantry::files
