// SPDX-License-Identifier: Apache-2.0
//
// A decision without a daemon: the daemon's own manager and drivers, on a fleet that is written in a file.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::whatif {

struct Question {
  config::Settings settings;  // as gantryd would have them
  std::string fleet;          // gantry-fleet(5)
  std::string fleet_source;   // what messages call it
  json::object args;          // of select_destinations
  json::object context;
  std::optional<std::uint64_t> seed;  // none: a new one
  std::chrono::milliseconds timeout;  // for the decision
  bool logs = false;                  // on standard error, with everything
};

struct Answer {
  Result<json::value> reply;          // as select_destinations gives it
  std::vector<std::string> warnings;  // about the fleet
};

// Loads the drivers that the settings name, as the daemon does: a process asks once. Claims and stores nothing. An error
// is one of what was to be asked; no host is a reply.
Result<Answer> ask(Question question);

}  // namespace gantry::whatif
