// SPDX-License-Identifier: Apache-2.0
//
// Clients and agents at work while the daemon is killed again and again, and what that came to.
#pragma once

#include <cstdint>
#include <string>

#include "tests/reliability/ledger.hpp"

namespace gantry::reliability {

struct KillRunSettings {
  std::uint64_t kills = 50;
  std::uint64_t seed = 1;
};

struct KillRunResult {
  Findings findings;
  Progress progress;
  std::string table;
};

KillRunResult run_kills(const KillRunSettings& settings);

}  // namespace gantry::reliability
