// SPDX-License-Identifier: Apache-2.0
//
// A private copy of a driver's file in memory that nobody can change any more.
#pragma once

#include <span>
#include <string>

#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// An executable memfd with these bytes, named gantry-driver:<id>.so (as /proc/self/maps and gdb show it). unsupported:
// the kernel or its policy gives none.
Result<files::Descriptor> make_sealed_copy(std::span<const std::byte> content, const std::string& id);

}  // namespace gantry::drivers
