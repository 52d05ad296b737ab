// SPDX-License-Identifier: Apache-2.0
//
// Bytes that claim to be a driver, or a manifest, or the linker's cache, through all that reads them before trust.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/drivers/elf_file.hpp"
#include "core/drivers/library_search.hpp"
#include "core/drivers/manifest.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> content = std::as_bytes(std::span(data, size));
  const auto elf = gantry::drivers::read_elf(content, "fuzz.so");
  if (elf && elf->manifest) static_cast<void>(gantry::drivers::parse_manifest(*elf->manifest));
  if (elf) static_cast<void>(gantry::drivers::check_exports(*elf, "fuzz.so"));
  static_cast<void>(gantry::drivers::parse_manifest({reinterpret_cast<const char*>(data), size}));
  static_cast<void>(gantry::drivers::find_in_cache(content, "libc.so.6"));
  return 0;
}
