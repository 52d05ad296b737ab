// SPDX-License-Identifier: Apache-2.0
//
// The codes with which an operation of a driver ends. The usual way to fail is to return call.fail(code::...,
// "sentence"). The exception gantry::failure is for errors that a driver cannot foresee: its own bugs, a host that
// breaks its contract. The SDK catches every exception and turns the exception into a code and a sentence.
#pragma once

#include <gantry/driver.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace gantry {

enum class code : std::int32_t {
  ok = GANTRY_OK,
  no_valid_host = GANTRY_NO_VALID_HOST,            // no host fits; a result, not a failure
  invalid_argument = GANTRY_INVALID_ARGUMENT,      // the driver cannot make sense of the request
  unsupported = GANTRY_UNSUPPORTED,                // the driver or the host does not offer this function
  deadline_exceeded = GANTRY_DEADLINE_EXCEEDED,    // the deadline has passed
  resource_exhausted = GANTRY_RESOURCE_EXHAUSTED,  // memory or another limit of the host was reached
  claim_lost = GANTRY_CLAIM_LOST,                  // from pick or claim: try the next choice
  internal = GANTRY_INTERNAL                       // the driver's own fault
};

// An error with the code and the sentence with which the operation ends.
class failure : public std::runtime_error {
 public:
  failure(gantry::code code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  gantry::code code() const noexcept { return code_; }

 private:
  gantry::code code_;
};

// A failure of a host service. The service has already told the host a sentence, so the SDK passes on the code alone.
class host_failure : public failure {
 public:
  host_failure(gantry::code code, const std::string& sentence) : failure(code, sentence) {}
};

}  // namespace gantry
