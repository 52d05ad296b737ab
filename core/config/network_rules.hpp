// SPDX-License-Identifier: Apache-2.0
//
// What the keys of [server] must be together: nothing but this machine reaches the service without TLS and tokens.
#pragma once

#include <string>
#include <vector>

#include "core/config/settings.hpp"

namespace gantry::config {

struct NetworkFindings {
  struct Problem {
    std::string key;  // the one to look at
    std::string fault;
  };
  std::vector<Problem> problems;
  std::vector<std::string> warnings;
};

NetworkFindings check_network(const Settings::Server& server);

}  // namespace gantry::config
