// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/outcome.hpp"

#include <optional>
#include <string>

namespace gantry::drivers {
namespace {

std::optional<ErrorCode> error_code_of(gantry_code code) {
  switch (code) {
    case GANTRY_INVALID_ARGUMENT: return ErrorCode::invalid_argument;
    case GANTRY_UNSUPPORTED: return ErrorCode::unsupported;
    case GANTRY_DEADLINE_EXCEEDED: return ErrorCode::deadline_exceeded;
    case GANTRY_RESOURCE_EXHAUSTED: return ErrorCode::resource_exhausted;
    case GANTRY_INTERNAL: return ErrorCode::internal;
    default: return std::nullopt;
  }
}

std::string name_of_call(std::string_view driver, std::string_view operation) {
  return "driver '" + std::string(driver) + "', " + std::string(operation) + ": ";
}

}  // namespace

Error misuse_of(std::string_view how, std::string_view driver, std::string_view operation) {
  return {ErrorCode::internal,
          name_of_call(driver, operation) + "broke the ABI's rules: " + std::string(how) +
              "; this is a fault of the driver",
          {}};
}

Result<void> outcome_of(gantry_code code, std::string_view sentence, std::string_view driver,
                        std::string_view operation) {
  if (code == GANTRY_OK) return {};
  // Results, not failures: the sentence stands for itself. A driver that gives up on a lost claim found no host either.
  if (code == GANTRY_NO_VALID_HOST || code == GANTRY_CLAIM_LOST) {
    return Error{ErrorCode::no_valid_host, std::string(sentence), {}};
  }
  const std::string who = name_of_call(driver, operation);
  const auto known = error_code_of(code);
  if (!known) {
    return Error{ErrorCode::internal,
                 who + "expected a gantry_code of driver.h (0 to 7), found " + std::to_string(code) +
                     "; this is a fault of the driver",
                 {}};
  }
  if (!sentence.empty()) return Error{*known, who + std::string(sentence), {}};
  return Error{*known, who + "failed with " + std::string(name_of(*known)) + " and without a sentence", {}};
}

}  // namespace gantry::drivers
