// SPDX-License-Identifier: Apache-2.0
//
// Loads the drivers of a config. A driver may use libraries of offers: filters and weighers that it calls. The steps
// for each driver, in order:
//
//    1  find           judge/driver_files.cpp      the path in its section, or <id>.so in driver_directories
//    2  open trusted   file/trusted_file.cpp       owner, mode and links of the file and of each directory above it
//    3  read ELF       file/elf_file.cpp           a shared object that exports the entry alone; the pinned SHA-256
//    4  check linking  judge/library_trust.cpp     the libraries that ld.so will load with the file
//                      judge/symbol_check.cpp      symbols without a definition
//                      file/link_rules.cpp         text relocations, executable stack, static TLS
//    5  read manifest  manifest/manifest.cpp       id, version, ABI, topics, columns, options
//    6  check offers   judge/offer_libraries.cpp   steps 1 to 5 for each library of filters and weighers
//    7  check config   driver_check.cpp            topics, options and columns; no conflict between drivers
//    8  seal           load/sealed_copy.cpp        a private copy that later writes to the file cannot change
//    9  dlopen         load/library.cpp            runs the first code of the file
//   10  call entry     load/entry.cpp              the entry's answer has to agree with the manifest
//   11  make options   load/options.cpp            configured values and defaults
//   12  create offers  offers/loaded_offers.cpp    steps 8 to 11 and create for each filter and weigher
//   13  create driver  driver_instance.cpp         the driver's own create
//
// Steps 1 to 7 run no code of any file and finish for all drivers before step 8 begins. judge/driver_file.cpp runs
// steps 2 to 5. Libraries are never unloaded. A reload of the configuration runs steps 11 to 13 again, with the code that
// is loaded (next_instances.hpp).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/creation_limit.hpp"
#include "core/drivers/driver.hpp"
#include "core/drivers/driver_check.hpp"
#include "core/drivers/driver_instance.hpp"
#include "core/drivers/driver_instances.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/drivers/judge/driver_files.hpp"
#include "core/drivers/load/fatal_requests.hpp"
#include "core/result.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::drivers {

// Loads and creates the drivers that check_drivers has checked (steps 1 to 7). A failing driver is skipped if its
// section says required = false. The failures of all other drivers are returned, one on each line, and end the start.
// `late` is called if one takes longer than longest_creation; empty: without a limit.
Result<DriverSet> load_drivers(const config::Settings& settings, CheckedDrivers checked,
                               std::shared_ptr<telemetry::Logger> logger, std::shared_ptr<telemetry::Counters> counters,
                               const Late& late = {});
// The same with the check before it.
Result<DriverSet> load_drivers(const config::Settings& settings, std::shared_ptr<telemetry::Logger> logger,
                               std::shared_ptr<telemetry::Counters> counters, const Prepare& prepare);

// The file that keeps which requests ended the service, for the next process. It lies beside the store.
std::string fatal_requests_file(const config::Settings& settings);

// The declarations below are internal to this folder.
struct DriverSet::State {
  std::vector<std::unique_ptr<Driver>> drivers;
  std::map<std::string, Driver*, std::less<>> by_topic;
  std::map<const Driver*, Driver*> fallbacks;
  std::vector<std::pair<std::string, Error>> skipped;  // ids of drivers, and the reasons
  std::mutex ending_mutex;
  std::string ending;          // id of the driver that is being destroyed; guarded by ending_mutex
  std::mutex instances_mutex;  // guards what follows
  std::shared_ptr<const DriverInstances> in_use = std::make_shared<DriverInstances>();
  std::vector<std::shared_ptr<DriverInstance>> retired;  // no new call goes to them
};

// Runs the steps from 8 on, once.
class DriverLoader {
 public:
  DriverLoader(const config::Settings& settings, std::shared_ptr<telemetry::Logger> logger,
               std::shared_ptr<telemetry::Counters> counters);

  Result<DriverSet> load(CheckedDrivers checked, const Late& late);

 private:
  // Runs steps 8 to 13.
  Result<std::unique_ptr<Driver>> start(DriverFile file) const;
  // Runs steps 8 to 10.
  Result<gantry_driver_ops> load_code(const DriverFile& file) const;
  // Loads the fallbacks, once the drivers that they stand in for are loaded.
  void load_fallbacks(DriverSet& set, CheckedDrivers& checked, std::vector<Error>& problems, const Late& late) const;
  // Adds a driver that is not required to the skipped drivers of the set.
  void skip(DriverSet& set, const std::string& id, Error error) const;
  const config::Settings& settings_;
  const std::shared_ptr<telemetry::Logger> logger_;
  const std::shared_ptr<telemetry::Counters> counters_;
  DriverCheck check_;
  const std::shared_ptr<TurnWatch> watch_;  // watches the turns of all drivers
  const std::shared_ptr<FatalRequests> fatal_requests_;
};

}  // namespace gantry::drivers
