// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/entry.hpp"

#include <array>
#include <string>
#include <utility>

#include "core/drivers/abi/known_part.hpp"
#include "core/drivers/file/refusal.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "core/drivers/load/entry_head.hpp"

namespace gantry::drivers {
namespace {

Result<void> check_operations(const DriverFile& file, const gantry_driver_ops& ops) {
  if (ops.reserved0 != 0) {
    return refuse(file.path, {"operations", "0 in reserved0", std::to_string(ops.reserved0), "leave it 0"});
  }
  const bool has_methods = !file.manifest.methods.empty();
  const bool decides = ops.select_destinations != nullptr || ops.schedule_run_instance != nullptr;
  const bool has_methods_alone = has_methods && !decides;
  const std::array<std::pair<const char*, bool>, 4> mandatory = {
      {{"create", ops.create != nullptr},
       {"destroy", ops.destroy != nullptr},
       {"select_destinations", ops.select_destinations != nullptr || has_methods_alone},
       {"schedule_run_instance", ops.schedule_run_instance != nullptr || has_methods_alone}}};
  for (const auto& [name, is_there] : mandatory) {
    if (is_there) continue;
    return refuse(file.path, {"operations", std::string("the mandatory operation ") + name, "NULL", "implement it"});
  }
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
  if (Result<void> checked = check_entry_head(file, info, "gantry_driver_info"); !checked) {
    return std::move(checked).error();
  }
  if (info->ops == nullptr) return refuse(file.path, {"operations", "a gantry_driver_ops", "NULL", rebuild_advice});
  const std::uint32_t size = info->ops->struct_size;
  if (size < first_size<gantry_driver_ops>) {
    return refuse(file.path, {"operations struct_size", "at least " + std::to_string(first_size<gantry_driver_ops>),
                              std::to_string(size), rebuild_advice});
  }
  const gantry_driver_ops ops = known_part(*info->ops);
  if (Result<void> checked = check_operations(file, ops); !checked) return std::move(checked).error();
  return ops;
}

Result<gantry_driver_ops> check_entry(const DriverFile& file, const Library& library) {
  // The note stays while the answer is read, which may point anywhere. noexcept: an exception ends the process here,
  // where the crash report can still name the driver.
  const CrashNote note(file.manifest.id, "gantry_driver_entry", {}, file.path);
  const auto entry = [&library]() noexcept { return library.entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR); };
  return check_info(file, entry());
}

}  // namespace gantry::drivers
