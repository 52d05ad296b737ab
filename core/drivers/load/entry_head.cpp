// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/entry_head.hpp"

#include <string>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/file/refusal.hpp"

namespace gantry::drivers {
namespace {

std::string hexadecimal(std::uint32_t value) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "0x00000000";
  for (std::size_t index = 9; index > 1; --index, value >>= 4U) text[index] = digits[value & 15U];
  return text;
}

}  // namespace

Error refuse_no_entry(const DriverFile& file, std::string_view name) {
  const std::string host = std::to_string(GANTRY_ABI_MAJOR) + "." + std::to_string(GANTRY_ABI_MINOR);
  const std::string what = file.kind == FileKind::driver ? "driver" : "library";
  return refuse(file.path, {"entry", "a " + std::string(name) + " for host ABI " + host,
                            "NULL: the " + what + " refuses this host", "build it with this host's SDK"});
}

Result<void> check_entry_size(const DriverFile& file, std::uint32_t magic, std::uint32_t size, std::size_t least) {
  if (magic != GANTRY_MAGIC) {
    return refuse(file.path, {"entry magic", hexadecimal(GANTRY_MAGIC), hexadecimal(magic), rebuild_advice});
  }
  if (size >= least) return {};
  return refuse(file.path,
                {"entry struct_size", "at least " + std::to_string(least), std::to_string(size), rebuild_advice});
}

Result<void> check_entry_identity(const DriverFile& file, std::string_view name, std::uint32_t abi_major,
                                  std::uint32_t abi_minor, gantry_string id, gantry_string version) {
  const Manifest& manifest = file.manifest;
  if (abi_major != manifest.abi_major || abi_minor != manifest.abi_minor) {
    return refuse(file.path, {"entry abi",
                              std::to_string(manifest.abi_major) + "." + std::to_string(manifest.abi_minor) +
                                  ", as in its manifest",
                              std::to_string(abi_major) + "." + std::to_string(abi_minor), rebuild_advice});
  }
  const std::string advice = "give " + std::string(name) + " and the manifest the same ";
  if (from_abi(id) != manifest.own_id()) {
    return refuse(file.path, {"entry id", "'" + manifest.own_id() + "', as in its manifest",
                              "'" + sentence_of(id) + "'", advice + "id"});
  }
  if (from_abi(version) != manifest.version) {
    return refuse(file.path, {"entry version", "'" + manifest.version + "', as in its manifest",
                              "'" + sentence_of(version) + "'", advice + "version"});
  }
  return {};
}

}  // namespace gantry::drivers
