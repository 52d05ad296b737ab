// SPDX-License-Identifier: Apache-2.0
//
// Bytes that claim to be a driver, or a manifest, or the linker's cache, through all that reads them before trust.
#include <cstddef>

#include "core/drivers/file/elf_file.hpp"
#include "core/drivers/judge/library_search.hpp"
#include "core/drivers/manifest/manifest.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {

std::string run(std::span<const std::uint8_t> input) {
  const std::span<const std::byte> content = std::as_bytes(input);
  static_cast<void>(drivers::find_in_cache(content, "libc.so.6"));
  const auto elf = drivers::read_elf(content, "fuzz.so");
  if (!elf) {
    const auto manifest = drivers::parse_manifest(text_of(input));
    return manifest ? "manifest" : "refused";
  }
  if (!drivers::check_exports(*elf, "fuzz.so")) return "exports";
  if (!elf->manifest) return "without_manifest";
  return drivers::parse_manifest(*elf->manifest) ? "driver" : "bad_manifest";
}

}  // namespace gantry::fuzz
