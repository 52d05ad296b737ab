// SPDX-License-Identifier: Apache-2.0
//
// Makes one decision without a running daemon, on a fleet from a file. The manager and the drivers are the same as in
// the daemon.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/encoding/json.hpp"
#include "core/result.hpp"
#include "core/whatif/time_limit.hpp"

namespace gantry::whatif {

// A call of select_destinations and the fleet that it sees.
struct Question {
  config::Settings settings;          // gantryd's settings
  std::string fleet;                  // the text of a fleet file, see gantry-fleet(5)
  std::string fleet_source;           // the name of the fleet file, for messages
  json::object args;                  // the arguments of select_destinations
  json::object context;               // the context of the call: user, project and so on
  std::optional<std::uint64_t> seed;  // nullopt: a new random seed
  std::chrono::milliseconds timeout;  // the longest time for loading, for the decision and for the drivers' end each
  bool logs = false;                  // true: log all levels to standard error
  // Called on a thread of its own if a driver does not return in time. Shows the error and ends the process.
  GiveUp give_up;
};

struct Answer {
  Result<json::value> reply;          // the reply of select_destinations, or its error
  std::vector<std::string> warnings;  // about the fleet
};

// Decides the question. Claims and stores nothing. A process may call `ask` only once, because it loads the drivers
// for good, as the daemon does. A crash or an exit in a driver is reported as in the daemon. A driver with isolation =
// "process" has a process of its own here, too. Returns an error if no
// decision was made, for example because a driver did not load. An error of the decision, such as no_valid_host, is in
// Answer::reply.
Result<Answer> ask(Question question);

}  // namespace gantry::whatif
