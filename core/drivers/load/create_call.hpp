// SPDX-License-Identifier: Apache-2.0
//
// The call in which the host creates a driver or an offer (a filter or weigher). The call has neither view nor sink.
// Internal to core/drivers.
#pragma once

#include <chrono>
#include <string>

#include "core/drivers/call/driver_call.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

class CreateCall {
 public:
  // `timeout`: the time until the call's deadline.
  explicit CreateCall(std::chrono::milliseconds timeout);
  CreateCall(const CreateCall&) = delete;
  CreateCall& operator=(const CreateCall&) = delete;

  gantry_call* handle() { return call_.handle(); }
  // Converts the code that a create returned. Every failure becomes invalid_configuration. `path`: the file of the
  // driver or library.
  Result<void> outcome(gantry_code code, const std::string& driver, const std::string& operation,
                       const std::string& path) const;

 private:
  gantry_context context_{};
  DriverCall call_;
};

}  // namespace gantry::drivers
