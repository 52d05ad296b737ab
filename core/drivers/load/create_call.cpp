// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/create_call.hpp"

#include <cstdint>
#include <utility>

#include "core/drivers/load/outcome.hpp"

namespace gantry::drivers {
namespace {

DriverCallSettings settings_of(const gantry_context& context, std::chrono::milliseconds timeout) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  DriverCallSettings settings;
  settings.context = &context;
  settings.deadline = std::chrono::steady_clock::now() + timeout;
  settings.now = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  settings.log_is_bounded = false;
  return settings;
}

}  // namespace

CreateCall::CreateCall(std::chrono::milliseconds timeout) : call_(settings_of(context_, timeout)) {
  context_.struct_size = sizeof(context_);
}

Result<void> CreateCall::outcome(gantry_code code, const std::string& driver, const std::string& operation,
                                 const std::string& path) const {
  if (code == GANTRY_OK) return {};
  Error error = outcome_of(code, call_.failure_sentence(), driver, operation).error();
  if (error.message.empty()) error.message = "driver '" + driver + "', " + operation + ": found no valid host";
  // Any failure of a create ends the start of the service.
  error.code = ErrorCode::invalid_configuration;
  return std::move(error).within(path);
}

}  // namespace gantry::drivers
