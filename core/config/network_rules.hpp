// SPDX-License-Identifier: Apache-2.0
//
// Checks the keys of [server] together. The rule: without TLS and tokens, only this machine may reach the service.
#pragma once

#include <string>
#include <vector>

#include "core/config/settings.hpp"

namespace gantry::config {

struct NetworkFindings {
  struct Problem {
    std::string key;  // the key to change
    std::string fault;
  };
  std::vector<Problem> problems;  // each refuses the settings
  std::vector<std::string> warnings;
};

NetworkFindings check_network(const Settings::Server& server);

}  // namespace gantry::config
