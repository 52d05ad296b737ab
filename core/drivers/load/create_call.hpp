// SPDX-License-Identifier: Apache-2.0
//
// The call in which a driver or an offer is created when the service starts: it has neither view nor sink. Internal to
// this folder.
#pragma once

#include <chrono>
#include <string>

#include "core/drivers/call/driver_call.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

class CreateCall {
 public:
  explicit CreateCall(std::chrono::milliseconds timeout);
  CreateCall(const CreateCall&) = delete;
  CreateCall& operator=(const CreateCall&) = delete;

  gantry_call* handle() { return call_.handle(); }
  // What the code of a create means: nothing, or the error that ends the start. `path`: of the file at fault.
  Result<void> outcome(gantry_code code, const std::string& driver, const std::string& operation,
                       const std::string& path) const;

 private:
  gantry_context context_{};
  DriverCall call_;
};

}  // namespace gantry::drivers
