// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/entry.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/drivers/known_part.hpp"
#include "core/drivers/refusal.hpp"
#include "core/drivers/text.hpp"

namespace gantry::drivers {
namespace {

constexpr std::string_view rebuild = "build the driver again with the SDK's unchanged driver.h";

std::string hexadecimal(std::uint32_t value) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "0x00000000";
  for (std::size_t index = 9; index > 1; --index, value >>= 4U) text[index] = digits[value & 15U];
  return text;
}

Result<void> check_fields(const DriverFile& file, const gantry_driver_info& info) {
  const Manifest& manifest = file.manifest;
  if (info.abi_major != manifest.abi_major || info.abi_minor != manifest.abi_minor) {
    return refuse(file.path, {"entry abi",
                              std::to_string(manifest.abi_major) + "." + std::to_string(manifest.abi_minor) +
                                  ", as in its manifest",
                              std::to_string(info.abi_major) + "." + std::to_string(info.abi_minor), rebuild});
  }
  if (from_abi(info.id) != manifest.id) {
    return refuse(file.path, {"entry id", "'" + manifest.id + "', as in its manifest", "'" + sentence_of(info.id) + "'",
                              "give gantry_driver_info and the manifest the same id"});
  }
  if (from_abi(info.version) != manifest.version) {
    return refuse(file.path,
                  {"entry version", "'" + manifest.version + "', as in its manifest",
                   "'" + sentence_of(info.version) + "'", "give gantry_driver_info and the manifest the same version"});
  }
  return {};
}

template <class T>
Result<void> check_size(const DriverFile& file, const std::string& what, std::uint32_t found) {
  if (found >= first_size<T>) return {};
  const std::string rule = what + " struct_size";
  return refuse(file.path, {rule, "at least " + std::to_string(first_size<T>), std::to_string(found), rebuild});
}

Result<void> check_operations(const DriverFile& file, const gantry_driver_ops& ops) {
  if (ops.reserved0 != 0) {
    return refuse(file.path, {"operations", "0 in reserved0", std::to_string(ops.reserved0), "leave it 0"});
  }
  const std::array<std::pair<const char*, bool>, 4> mandatory = {
      {{"create", ops.create != nullptr},
       {"destroy", ops.destroy != nullptr},
       {"select_destinations", ops.select_destinations != nullptr},
       {"schedule_run_instance", ops.schedule_run_instance != nullptr}}};
  for (const auto& [name, is_there] : mandatory) {
    if (is_there) continue;
    return refuse(file.path, {"operations", std::string("the mandatory operation ") + name, "NULL", "implement it"});
  }
  const bool has_methods = !file.manifest.methods.empty();
  if (has_methods != (ops.call_method != nullptr)) {
    return refuse(file.path, {"operations",
                              has_methods ? "call_method, for the manifest names methods"
                                          : "call_method to be NULL, for the manifest names no methods",
                              has_methods ? "NULL" : "a function", "let the manifest and the operations agree"});
  }
  return {};
}

}  // namespace

Result<gantry_driver_ops> check_info(const DriverFile& file, const gantry_driver_info* info) {
  const std::string host = std::to_string(GANTRY_ABI_MAJOR) + "." + std::to_string(GANTRY_ABI_MINOR);
  if (info == nullptr) {
    return refuse(file.path, {"entry", "a gantry_driver_info for host ABI " + host,
                              "NULL: the driver refuses this host", "build it with this host's SDK"});
  }
  if (info->magic != GANTRY_MAGIC) {
    return refuse(file.path, {"entry magic", hexadecimal(GANTRY_MAGIC), hexadecimal(info->magic), rebuild});
  }
  if (Result<void> checked = check_size<gantry_driver_info>(file, "entry", info->struct_size); !checked) {
    return std::move(checked).error();
  }
  if (Result<void> checked = check_fields(file, *info); !checked) return std::move(checked).error();
  if (info->ops == nullptr) return refuse(file.path, {"operations", "a gantry_driver_ops", "NULL", rebuild});
  if (Result<void> checked = check_size<gantry_driver_ops>(file, "operations", info->ops->struct_size); !checked) {
    return std::move(checked).error();
  }
  const gantry_driver_ops ops = known_part(*info->ops);
  if (Result<void> checked = check_operations(file, ops); !checked) return std::move(checked).error();
  return ops;
}

Result<gantry_driver_ops> check_entry(const DriverFile& file, const Library& library) {
  return check_info(file, library.entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR));
}

}  // namespace gantry::drivers
