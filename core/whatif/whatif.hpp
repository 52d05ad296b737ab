// SPDX-License-Identifier: Apache-2.0
//
// Makes one decision without a daemon: with the daemon's manager and drivers, on a fleet from a file.
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
  config::Settings settings;  // gantryd's settings
  std::string fleet;          // gantry-fleet(5)
  std::string fleet_source;   // the fleet's name in messages
  json::object args;          // of select_destinations
  json::object context;
  std::optional<std::uint64_t> seed;  // nullopt: a new random one
  std::chrono::milliseconds timeout;  // for the decision
  bool logs = false;                  // true: log each level to standard error
};

struct Answer {
  Result<json::value> reply;          // of select_destinations
  std::vector<std::string> warnings;  // about the fleet
};

// Loads the drivers of the settings as the daemon does, so a process may call it once. Claims and stores nothing. An
// error means that the question could not be asked. NoValidHost is a reply.
Result<Answer> ask(Question question);

}  // namespace gantry::whatif
