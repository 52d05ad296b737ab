// SPDX-License-Identifier: Apache-2.0
//
// A decision on its way to the archive: plain values, so that the thread that decides hands them over and goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::scheduling {

enum class DecisionOutcome : std::uint8_t { placed, no_valid_host, failed };

// Returns "placed", "no_valid_host" or "failed".
std::string_view name_of(DecisionOutcome outcome);
std::optional<DecisionOutcome> decision_outcome(std::string_view name);

struct NotedStep {
  std::string name;
  std::uint64_t hosts_in = 0;
  std::uint64_t hosts_out = 0;
  std::string reason;
  std::optional<std::uint32_t> instance;
};

// A host that was chosen, an alternate, or a pick that did not hold.
struct NotedPick {
  std::uint32_t instance = 0;
  std::uint32_t row = 0;
  std::string host;
  std::string node;
  std::optional<double> weight;
};

struct DecisionNote {
  std::int64_t time = 0;  // nanoseconds since 1970, as the driver saw it
  std::uint64_t seed = 0;
  std::uint64_t moment = 0;  // the number of the moment that the decision saw
  std::uint64_t hosts = 0;   // rows of that moment
  std::int64_t microseconds = 0;
  DecisionOutcome outcome = DecisionOutcome::placed;
  std::uint32_t instances = 0;
  std::uint32_t placed = 0;
  std::uint32_t wanted_alternates = 0;
  std::string method;
  std::string request_id;
  std::string driver;
  std::string driver_version;
  std::string driver_sha256;
  std::string policy;           // a hash of the driver's options
  std::string profile;          // the rule that chose the driver; empty: it is the default
  std::string fallback_for;     // the driver in whose place the driver decided; empty: in its own
  std::string fallback_reason;  // how that driver has failed
  std::string project_id;
  std::string user_id;
  std::string reason;             // why an instance found no host, or the failure
  std::string context;            // JSON object without secrets
  std::string spec;               // JSON: the request spec as parsed, without secrets
  std::string filter_properties;  // JSON object
  std::vector<std::string> instance_uuids;
  std::vector<NotedStep> steps;
  std::vector<NotedPick> picks;
  std::vector<NotedPick> alternates;  // in order of preference
  std::vector<NotedPick> lost;        // picks that did not hold
  std::string group;                  // JSON object: the server group as the decision knew it; empty: none
  std::string bounds;                 // JSON object: the rows that an authority left; empty: all
  std::string answers;                // JSON list: what policy services have answered; empty: none was asked
  std::string authority;              // JSON object: what the authority says of the decision; empty: there is none
};

// Returns the record of the decision: a JSON object, see past_decision.hpp.
std::string record_of(const DecisionNote& note);
// Returns the names by which the decision is looked for: those of its instances, hosts, project and request.
std::vector<std::string> names_of(const DecisionNote& note);

std::string instance_name(std::string_view uuid);
std::string host_name(std::string_view host);
std::string project_name(std::string_view project_id);
std::string request_name(std::string_view request_id);

}  // namespace gantry::scheduling
