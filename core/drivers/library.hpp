// SPDX-License-Identifier: Apache-2.0
//
// A driver's shared object in this process. Loaded once for each content and never unloaded: nobody can tell when the
// last pointer into it is gone.
#pragma once

#include <boost/dll/shared_library.hpp>
#include <string>

#include "core/drivers/descriptor.hpp"
#include "core/drivers/driver_file.hpp"
#include "core/result.hpp"
#include "core/telemetry/log.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

struct Library {
  boost::dll::shared_library object;
  // What ld.so loaded it from. Stays open: ld.so knows it by its path in /proc/self/fd and would take another file
  // under the same number for the same library.
  Descriptor descriptor;

  using Entry = const gantry_driver_info*(std::uint32_t, std::uint32_t);
  Entry* entry = nullptr;
};

// [control] Runs the file's constructors: only for a file that kept all rules. `seal`: a private copy in memory is
// loaded, so that overwriting the file cannot harm the process.
Result<const Library*> load_library(const DriverFile& file, bool seal, telemetry::Logger& logger);

}  // namespace gantry::drivers
