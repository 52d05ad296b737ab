// SPDX-License-Identifier: Apache-2.0
//
// The shared object of a driver or of a library of offers, loaded into this process. Files with the same content are
// loaded once. A library is never unloaded, because the host cannot know when the last pointer into it is gone.
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
  // The file that ld.so loaded. The file stays open, because ld.so knows the library by the path
  // /proc/self/fd/<number>. ld.so would take another file with the same number for the same library.
  files::Descriptor descriptor;

  // `entry` is set for a driver, `offers_entry` for a library of offers. The other one is nullptr.
  using Entry = const gantry_driver_info*(std::uint32_t, std::uint32_t);
  Entry* entry = nullptr;
  using OffersEntry = const gantry_offers_info*(std::uint32_t, std::uint32_t);
  OffersEntry* offers_entry = nullptr;
};

// [control] Loads a file that has passed all checks and runs its constructors. `seal` true: loads a private copy in
// memory, so that overwriting the file cannot harm the process. If the kernel allows no such copy, logs a warning and
// loads the file itself.
Result<const Library*> load_library(const DriverFile& file, bool seal, telemetry::Logger& logger);

}  // namespace gantry::drivers
