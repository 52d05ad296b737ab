// SPDX-License-Identifier: Apache-2.0
//
// Reloads of the configuration, as the manager sees them: what needs no new process is taken over, whole or not at all.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace gantry::scheduling {

// A key of the configuration that has another value.
struct ChangedKey {
  std::string key;
  std::string before;  // as TOML, a secret as ****; empty: a driver's option was not set
  std::string after;
  std::string origin;  // the place that set `after`
};

// A configuration that was accepted.
struct Reloaded {
  std::vector<ChangedKey> changes;
  std::vector<std::string> warnings;  // one line each
};

// [any thread]
class Reloads {
 public:
  virtual ~Reloads() = default;

  using Done = std::function<void(Result<Reloaded>)>;
  // Reads the configuration again, judges it, and applies it unless `only_judge`. Calls `done` once, on any thread, later
  // or at once. Error invalid_configuration: what is wrong with it, one problem a line. failed_precondition: the keys
  // whose change needs a restart. unavailable: a reload does not end, or the service stops. After an error nothing has
  // changed.
  virtual void begin(bool only_judge, Done done) = 0;
  // Answers what was begun and is not done, as unavailable. From then on nothing is applied and no `done` is called.
  virtual void end() = 0;
};

}  // namespace gantry::scheduling
