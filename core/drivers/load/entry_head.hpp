// SPDX-License-Identifier: Apache-2.0
//
// Checks the first fields of the info struct that an entry function returns against the manifest. The structs of
// drivers and of libraries of offers have these fields in common. Internal to core/drivers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/drivers/abi/known_part.hpp"
#include "core/drivers/file/refusal.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

// The parts of check_entry_head, in the order in which the fields may be read. `name`: the name of the struct's type.
// `least`: the smallest size that is accepted.
Error refuse_no_entry(const DriverFile& file, std::string_view name);
Result<void> check_entry_size(const DriverFile& file, std::uint32_t magic, std::uint32_t size, std::size_t least);
Result<void> check_entry_identity(const DriverFile& file, std::string_view name, std::uint32_t abi_major,
                                  std::uint32_t abi_minor, gantry_string id, gantry_string version);

// Checks that `info` is not NULL, and its magic, size, ABI version, id and version.
template <class Info>
Result<void> check_entry_head(const DriverFile& file, const Info* info, std::string_view name) {
  if (info == nullptr) return refuse_no_entry(file, name);
  Result<void> checked = check_entry_size(file, info->magic, info->struct_size, first_size<Info>);
  if (!checked) return checked;
  return check_entry_identity(file, name, info->abi_major, info->abi_minor, info->id, info->version);
}

}  // namespace gantry::drivers
