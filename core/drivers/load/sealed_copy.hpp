// SPDX-License-Identifier: Apache-2.0
//
// Makes a private copy of a driver's file in memory. The copy is sealed against changes.
#pragma once

#include <span>
#include <string>

#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Makes a memfd (a file in memory) with these bytes that is executable and sealed against changes. /proc/self/maps and
// gdb show it as gantry-driver:<id>.so. Fails with unsupported if the kernel or its policy does not allow such a file.
Result<files::Descriptor> make_sealed_copy(std::span<const std::byte> content, const std::string& id);

}  // namespace gantry::drivers
