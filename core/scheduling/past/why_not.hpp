// SPDX-License-Identifier: Apache-2.0
//
// Why a past decision did not choose a host, in words: about one server of the request, or about the first of those that
// were asked for together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/fleet/fleet.hpp"
#include "core/scheduling/past/past_decision.hpp"

namespace gantry::scheduling {

struct WhyNot {
  std::string outcome;  // chosen, passed, rejected, lost, not_eligible, not_explained
  std::string sentence;
  const json::object* explanation =
      nullptr;  // the one of the host, among the explanations; nullptr: the driver gave none
};

// A question about a host of a decision that was made again.
struct HostQuestion {
  const PastDecision& past;
  const InstanceRequest& request;
  std::uint32_t row = 0;
  std::optional<std::uint32_t> instance = {};  // the server that is asked about; nullopt: any of the request
  const json::value& explanations;             // explanations of the host: [{"hosts": [...]}, ...], by instance
};

// Names servers as the fleet does.
WhyNot why_not_chosen(const fleet::Fleet& fleet, const HostQuestion& question);

}  // namespace gantry::scheduling
