// SPDX-License-Identifier: Apache-2.0
//
// What the service shows after a restart, held against the ledger.
#pragma once

#include <map>
#include <set>
#include <string>

#include "tests/reliability/agent.hpp"
#include "tests/reliability/ledger.hpp"

namespace gantry::reliability {

struct Shown {
  std::map<std::string, std::int64_t> reports;  // as in the ledger, before all of this was asked
  json::array instances;
  json::array groups;
  json::array aggregates;
  json::array hosts;  // each with "report", the statistics that it reported last
  json::array claims;
  json::array casts;
};

// What holds at any time while nothing is asked: all that was answered is there, nothing is half there, no host is over
// its limits. Calls without an answer are decided in the ledger as they are found.
void inspect(const Shown& shown, Ledger& ledger);

// What holds besides once all casts have arrived and all claims have ended: each server runs where it is shown and
// nowhere else, `running` (host -> uuids) as the agents have it.
void inspect_settled(const Shown& shown, const std::map<std::string, std::set<std::string>>& running, Ledger& ledger);

}  // namespace gantry::reliability
