// SPDX-License-Identifier: Apache-2.0
//
// Checks the profiles of a configuration against its drivers and against each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/config/settings.hpp"
#include "core/result.hpp"

namespace gantry::scheduling {

struct ProfileFindings {
  std::vector<Error> problems;  // a driver that is not there or decides about another topic; required, yet none there
  std::vector<std::string> warnings;  // a rule that no request reaches, for an earlier one takes all that it takes
};

// A driver that is or will be loaded.
struct ProfileDriver {
  std::string name;
  std::vector<std::string> topics;
};

// `drivers`: all that scheduler_driver names and that were found sound.
ProfileFindings check_profiles(const config::Settings& settings, const std::vector<ProfileDriver>& drivers);

}  // namespace gantry::scheduling
