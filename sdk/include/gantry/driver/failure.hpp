// SPDX-License-Identifier: Apache-2.0
//
// How an operation of a driver ends. A value is the usual way: return call.fail(code::..., "sentence"). The exception
// is for what a driver cannot foresee (its own mistakes, a host that breaks its contract); driver.hpp turns it, and any
// other exception, into the same code and sentence before it could leave the driver.
#pragma once

#include <gantry/driver.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace gantry {

enum class code : std::int32_t {
  ok = GANTRY_OK,
  no_valid_host = GANTRY_NO_VALID_HOST,            // nothing fits; a result
  invalid_argument = GANTRY_INVALID_ARGUMENT,      // the caller's request makes no sense to this driver
  unsupported = GANTRY_UNSUPPORTED,                // not offered
  deadline_exceeded = GANTRY_DEADLINE_EXCEEDED,    // time ran out
  resource_exhausted = GANTRY_RESOURCE_EXHAUSTED,  // memory or another bound of the host's ran out
  claim_lost = GANTRY_CLAIM_LOST,                  // of pick and claim: take the next choice
  internal = GANTRY_INTERNAL                       // the driver's own fault
};

class failure : public std::runtime_error {
 public:
  failure(gantry::code code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  gantry::code code() const noexcept { return code_; }

 private:
  gantry::code code_;
};

// A host service failed and the host has its sentence already: the operation ends with the code alone.
class host_failure : public failure {
 public:
  host_failure(gantry::code code, const std::string& sentence) : failure(code, sentence) {}
};

}  // namespace gantry
