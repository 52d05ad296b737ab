// SPDX-License-Identifier: Apache-2.0
//
// The shared object of a driver, or of a library of offers, in this process. Loaded once for each content and never
// unloaded: nobody can tell when the last pointer into it is gone.
#pragma once

#include <boost/dll/shared_library.hpp>
#include <string>

#include "core/drivers/judge/driver_file.hpp"
#include "core/files/descriptor.hpp"
#include "core/result.hpp"
#include "core/telemetry/log.hpp"
#include "gantry/driver.h"
#include "gantry/ext/offers.h"

namespace gantry::drivers {

struct Library {
  boost::dll::shared_library object;
  // What ld.so loaded it from. Stays open: ld.so knows it by its path in /proc/self/fd and would take another file
  // under the same number for the same library.
  files::Descriptor descriptor;

  // Of the two, the one that its kind has.
  using Entry = const gantry_driver_info*(std::uint32_t, std::uint32_t);
  Entry* entry = nullptr;
  using OffersEntry = const gantry_offers_info*(std::uint32_t, std::uint32_t);
  OffersEntry* offers_entry = nullptr;
};

// [control] Runs the file's constructors: only for a file that kept all rules. `seal`: a private copy in memory is
// loaded, so that overwriting the file cannot harm the process.
Result<const Library*> load_library(const DriverFile& file, bool seal, telemetry::Logger& logger);

}  // namespace gantry::drivers
