// SPDX-License-Identifier: Apache-2.0
//
// Restarts without loss, as the manager sees them: a new process takes the service over from this one.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::scheduling {

// [any thread]
class Restarts {
 public:
  virtual ~Restarts() = default;

  // Begins a restart and returns its id at once. `timeout`: how long the new process may take until it can take over;
  // nullopt: as configured. failed_precondition: a restart is under way, or none is possible, with the reason.
  virtual Result<std::string> begin(std::optional<std::chrono::milliseconds> timeout) = 0;
  // Returns the last restart that this process began or came from, for the answer of `status`. nullopt: there was none.
  virtual std::optional<json::object> last() const = 0;
};

}  // namespace gantry::scheduling
