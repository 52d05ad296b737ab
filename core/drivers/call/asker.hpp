// SPDX-License-Identifier: Apache-2.0
//
// Answers the questions that a driver asks policy services in one call (gantry.ask/1).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gantry/driver.h"

namespace gantry::drivers {

// The members have the meaning of gantry_ask_services.ask and gantry_answer.
struct ServiceAnswer {
  gantry_code code = GANTRY_OK;
  std::int32_t status = 0;
  std::string body;  // JSON after GANTRY_OK, otherwise a sentence

  bool operator==(const ServiceAnswer&) const = default;
};

// For the thread of the call.
class Asker {
 public:
  virtual ~Asker() = default;

  // Returns the answer of the service, at the deadline of the call at the latest. `json` is JSON of at most
  // GANTRY_MOST_ASK_BYTES.
  virtual ServiceAnswer ask(std::string_view name, std::string_view json) = 0;
};

}  // namespace gantry::drivers
