// SPDX-License-Identifier: Apache-2.0
//
// A decision that was made beside nova-scheduler, as the answer of select_destinations explains it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::nova {

// "h1", or "h1/node" for a host whose node has another name.
std::string shown_host(std::string_view host, std::string_view node);

// The driver's word about a host.
struct HostStanding {
  std::string rejected_by;       // the filter; empty: the host passed
  std::optional<double> weight;  // that a host has which passed, if the driver weighs

  bool operator==(const HostStanding&) const = default;
};

using HostStandings = std::unordered_map<std::string, HostStanding>;  // by shown_host

struct ShadowDecision {
  std::vector<std::string> picks;  // by instance; empty: there is no valid host
  std::vector<HostStandings>
      standings;        // by instance: the candidates, as the driver saw them; empty: it explained none
  std::string refusal;  // why there is no valid host

  bool is_refused() const { return picks.empty(); }
  bool operator==(const ShadowDecision&) const = default;
};

// Reads the answer to select_destinations with explain: hosts. A failure other than no_valid_host is returned.
Result<ShadowDecision> read_shadow_decision(const Result<json::value>& answer);

}  // namespace gantry::nova
