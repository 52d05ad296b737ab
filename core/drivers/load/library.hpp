// SPDX-License-Identifier: Apache-2.0
//
// The shared object of a driver or of a library of offers, loaded into this process. Each content is loaded once and
// never unloaded, because the host cannot know when the last pointer into it is gone.
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
  // The file that ld.so loaded. It stays open because ld.so knows the library by its path in /proc/self/fd: it would
  // take another file with the same descriptor number for the same library.
  files::Descriptor descriptor;

  // Exactly one of the two is set, depending on the kind of the file.
  using Entry = const gantry_driver_info*(std::uint32_t, std::uint32_t);
  Entry* entry = nullptr;
  using OffersEntry = const gantry_offers_info*(std::uint32_t, std::uint32_t);
  OffersEntry* offers_entry = nullptr;
};

// [control] Loads a file that has passed all checks. Runs its constructors. `seal`: loads a private copy in memory, so
// that overwriting the file cannot harm the process.
Result<const Library*> load_library(const DriverFile& file, bool seal, telemetry::Logger& logger);

}  // namespace gantry::drivers
