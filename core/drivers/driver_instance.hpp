// SPDX-License-Identifier: Apache-2.0
//
// One instance of a driver: what the driver's create made from one set of options, with what it may use until its
// destroy. A driver has one instance, and a second one while a reload takes the place of the first. Internal to this
// folder.
#pragma once

#include <memory>
#include <string>

#include "core/drivers/call/host_services.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/load/option_files.hpp"
#include "core/drivers/load/options.hpp"
#include "core/drivers/offers/loaded_offers.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

namespace isolated {
class IsolatedDriver;
}

class DriverInstance {
 public:
  // [control] Creates the offers of the driver's libraries, then the driver itself (steps 11 to 13 of driver_loader.hpp).
  // `file` must not move and must outlive the instance.
  static Result<std::shared_ptr<DriverInstance>> create(const DriverFile& file, const gantry_driver_ops& ops,
                                                        const OfferSurroundings& surroundings);
  DriverInstance(const DriverFile& file, const gantry_driver_ops& ops, const OfferSurroundings& surroundings);
  ~DriverInstance();  // [control] calls the driver's destroy
  DriverInstance(const DriverInstance&) = delete;
  DriverInstance& operator=(const DriverInstance&) = delete;

  const gantry_driver_ops& ops() const { return ops_; }
  gantry_driver* object() const { return object_; }
  const HostServices& host() const { return host_; }
  // The process that the instance runs in. nullptr: this one.
  isolated::IsolatedDriver* isolated() const { return isolated_.get(); }
  // Returns a hash of the options and libraries that the instance was made from (policy.hpp).
  const std::string& policy() const { return policy_; }
  // The files that the options name, as they were before the create.
  const FileStamps& option_files() const { return option_files_; }

 private:
  // The same in a process of its own, which does it all there.
  static Result<std::shared_ptr<DriverInstance>> create_isolated(const DriverFile& file,
                                                                 const OfferSurroundings& surroundings);

  const DriverFile& file_;
  gantry_driver_ops ops_;
  const std::string policy_;
  const FileStamps option_files_;
  HostServices host_;  // the driver may use the services until destroy
  Options options_;
  std::unique_ptr<LoadedOffers> offers_;  // the driver may use the offers until destroy
  gantry_driver* object_ = nullptr;       // the driver's own object, made by its create
  std::unique_ptr<isolated::IsolatedDriver> isolated_;
  bool is_created_ = false;  // true if create has succeeded, so that destroy must run
};

}  // namespace gantry::drivers
