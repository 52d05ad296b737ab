// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/named_databases.hpp"

#include "core/config/nova/deployment_options.hpp"

namespace gantry::config::nova {

std::string with_parameters(std::string url, const std::string& parameters) {
  if (parameters.empty()) return url;
  return url + (url.find('?') == std::string::npos ? "?" : "&") + parameters;
}

Result<NovaSettings> named_databases(const Conf& conf) {
  NovaSettings settings;
  const auto place_of = [&settings](std::string_view key) -> std::string* {
    if (key == "host") return &settings.host;
    if (key == "database_connection") return &settings.database_connection;
    return key == "api_database_connection" ? &settings.api_database_connection : nullptr;
  };
  for (const OverriddenOption& option : overridden_options()) {
    auto* const place = place_of(option.key);
    if (place == nullptr) continue;
    const auto found = conf.find(option.names);
    if (!found)
      return Error{ErrorCode::invalid_configuration,
                   conf.place_of(option.names)->text() +
                       ": expected options that the files set behind each $, and $$ for a plain $",
                   ""};
    if (!*found) continue;
    *place = (*found)->values.back();
    if (option.key == "host") continue;
    const auto more = conf.find({{option.names.front().section, "connection_parameters"}});
    if (more && *more) *place = with_parameters(std::move(*place), (*more)->values.back());
  }
  return settings;
}

}  // namespace gantry::config::nova
