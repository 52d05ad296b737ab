// SPDX-License-Identifier: Apache-2.0
//
// Decides requests twice on one fleet from a file, by two releases of Nova, and says which decisions differ and by which
// rule. The releases are values of the driver's option `compatibility`.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/encoding/json.hpp"
#include "core/result.hpp"
#include "core/whatif/time_limit.hpp"

namespace gantry::whatif {

// A request to decide twice.
struct Asked {
  std::string id;        // names the request to people: a decision's id, a file
  json::object args;     // the arguments of select_destinations
  json::object context;  // the context of the call: user, project and so on
};

struct Comparison {
  config::Settings settings;  // gantryd's settings
  // Returns gantryd's settings with this value of the driver's option `compatibility`.
  std::function<Result<config::Settings>(const std::string& driver, const std::string& release)> settings_at;
  std::string before;        // a release; empty: the configured one
  std::string after;         // a release
  std::string fleet;         // the text of a fleet file, see gantry-fleet(5)
  std::string fleet_source;  // the name of the fleet file, for messages
  std::vector<Asked> requests;
  std::uint64_t seed = 0;
  std::chrono::milliseconds timeout;  // the longest time for loading, for each decision and for the drivers' end
  bool logs = false;                  // true: log all levels to standard error
  std::function<void(std::size_t done, std::size_t all)> progress;  // may be empty
  // Called on a thread of its own if a driver does not return in time. Shows the error and ends the process.
  GiveUp give_up;
};

// Where one instance goes by one release.
struct Place {
  std::string host;  // empty: no host
  std::string node;  // empty: the host has no nodes
  std::optional<double> weight;
  std::string reason;  // why there is no host
};

// A rule that makes the difference, and what it says by each release.
struct Cause {
  enum class Kind : std::uint8_t {
    filter,   // passes a host by one release and not by the other
    weigher,  // weighs the two hosts otherwise
    reason,   // no single rule is known: what the driver says of the request as a whole
  };
  Kind kind = Kind::reason;
  std::string rule;     // the name of the filter or weigher; empty with Kind::reason
  std::string only_in;  // the release that alone asks the rule; empty: both do
  std::string host;     // the host that is judged; empty: several
  std::string before;
  std::string after;
};

struct Difference {
  std::size_t request = 0;     // index in Comparison::requests
  std::uint32_t instance = 0;  // the first instance of the request whose place differs
  Place before;
  Place after;
  std::vector<Cause> causes;  // at least one; the first is the one that counts
};

struct Unjudged {
  std::size_t request = 0;
  std::string reason;
};

struct Compared {
  std::string driver;
  std::string before;
  std::string after;
  std::size_t hosts = 0;
  std::size_t same = 0;
  std::size_t equal_weight =
      0;  // the requests among the same with an instance that goes to another host of equal weight
  std::vector<Difference> differences;
  std::vector<Unjudged> unjudged;
  std::vector<std::string> warnings;  // about the fleet
};

// Decides all requests, each by itself on the fleet as it is in the file. Claims and stores nothing. A process may call
// `compare` or `ask` only once, because they load the drivers for good. Errors: invalid_argument if a release has no such
// name, if both are the same, if the driver has no option `compatibility`, or if the fleet has no hosts; and what a start of
// gantryd would report of configuration and drivers.
Result<Compared> compare(Comparison comparison);

}  // namespace gantry::whatif
