// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/projects/trial_fleet.hpp"

#include <set>

#include "core/cli/driver_kit/projects/trial_place.hpp"
#include "core/config/sources/tree.hpp"

namespace gantry::cli {

namespace {

std::string value_of(std::int32_t type, int host) {
  switch (type) {
    case GANTRY_TYPE_BOOL: return host % 2 == 0 ? "false" : "true";
    case GANTRY_TYPE_F64: return std::to_string(10 * host) + ".5";
    case GANTRY_TYPE_STRING: return "\"value-" + std::to_string(host) + "\"";
    default: return std::to_string(100 * host);
  }
}

// The members of stats that the columns stand for.
std::string stats_of(const std::vector<drivers::ColumnUse>& columns, int host, std::set<std::string>& known) {
  std::string text;
  for (const drivers::ColumnUse& column : columns) {
    if (!column.name.starts_with("stats.") || !known.insert(column.name).second) continue;
    text += (known.size() == 1 ? " " : ", ") + config::key_to_toml(column.name.substr(6)) + " = " +
            value_of(column.type, host);
  }
  return text;
}

}  // namespace

std::string trial_fleet(const drivers::DriverFile& file) {
  std::string text = "# For gantry agent --simulate.\n";
  for (int host = 1; host <= trial_hosts; ++host) {
    std::set<std::string> known;
    std::string stats = stats_of(file.manifest.needs, host, known) + stats_of(file.manifest.uses, host, known);
    for (const drivers::OfferDeclaration& offer : file.manifest.offers)
      stats += stats_of(offer.needs, host, known) + stats_of(offer.uses, host, known);
    text += "[[hosts]]\nname = \"host" + std::to_string(host) + "\"\ntopic = " + config::to_toml(trial_topic(file)) +
            "\nvcpus = " + std::to_string(4 * host) + "\nmemory_mb = " + std::to_string(8192 * host) +
            "\nlocal_gb = " + std::to_string(100 * host) + "\n";
    if (!stats.empty()) text += "stats = {" + stats + " }\n";
  }
  return text;
}

}  // namespace gantry::cli
