// SPDX-License-Identifier: Apache-2.0
//
// One call of a sequence, as it is made up, kept in a file and made again. A sequence does not depend on what the
// service makes up or chooses itself: {"$cast": n} as an argument stands for the n-th cast that waits, {"$building": n} for
// the n-th instance that is building.
#pragma once

#include <string>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::model {

struct Step {
  // "restart" is no method: it ends the service and starts another. "prepare_successor" makes another service, which reads
  // the store; the next "restart" lets this service take over.
  std::string method;
  json::object args;
  std::string key;  // Idempotency-Key; empty: none
};

// One JSON object a line.
std::string to_text(const std::vector<Step>& steps);
Result<std::vector<Step>> steps_from(std::string_view text);

}  // namespace gantry::model
