// SPDX-License-Identifier: Apache-2.0
//
// The checks of `gantry upgrade check`. None of them changes anything, and no code of a driver runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

// The numbers are those of the exit code, as nova-status has them.
enum class UpgradeStatus : std::uint8_t { success = 0, warning = 1, failure = 2 };

struct UpgradeFinding {
  std::string check;  // "store", "driver ip"
  UpgradeStatus status = UpgradeStatus::success;
  std::string what;  // may have several lines
};

// Makes all checks in order. The daemon is asked if it answers.
std::vector<UpgradeFinding> check_upgrade(Session& session);

// Returns the worst status.
UpgradeStatus worst_of(const std::vector<UpgradeFinding>& findings);

}  // namespace gantry::cli
