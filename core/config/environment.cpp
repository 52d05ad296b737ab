// SPDX-License-Identifier: Apache-2.0
#include "core/config/environment.hpp"

#include <unistd.h>

#include <string_view>
#include <utility>

namespace gantry::config {

std::map<std::string, std::string> environment_variables() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    if (equals != std::string_view::npos) variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

Sources sources_from(std::map<std::string, std::string> environment) {
  Sources sources;
  sources.environment = std::move(environment);
  if (const auto named = sources.environment.find("GANTRY_CONFIG");
      named != sources.environment.end() && !named->second.empty()) {
    sources.file = named->second;
    sources.file_must_exist = true;
  }
  return sources;
}

}  // namespace gantry::config
