// SPDX-License-Identifier: Apache-2.0
//
// A private copy of a driver's file in memory that cannot be changed.
#pragma once

#include <span>
#include <string>

#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Makes an executable, sealed memfd with these bytes. Its name, in /proc/self/maps and gdb, is gantry-driver:<id>.so.
// Fails with unsupported if the kernel or its policy does not allow one.
Result<files::Descriptor> make_sealed_copy(std::span<const std::byte> content, const std::string& id);

}  // namespace gantry::drivers
