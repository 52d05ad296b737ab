// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/projects/policy_file.hpp"

#include "core/cli/driver_kit/projects/source_tree.hpp"
#include "core/drivers/judge/driver_files.hpp"

namespace gantry::cli {

namespace fs = std::filesystem;

fs::path policy_of(const fs::path& place) {
  if (place.extension() == ".lua") return place;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(place, none))
    if (entry.path().extension() == ".lua" && sources_in(place).empty()) return entry.path();
  return {};
}

Result<config::Settings> settings_without_file(const Session& session) {
  config::Sources plain = session.sources();
  plain.file.clear();
  plain.overrides.clear();
  for (const std::string& setting : session.sources().overrides)
    if (setting.starts_with("driver_directories")) plain.overrides.push_back(setting);
  auto loaded = config::load(plain);
  if (!loaded) return std::move(loaded).error();
  return std::move(loaded->settings);
}

Result<drivers::DriverFile> driver_of_policies(const Session& session) {
  const auto settings = settings_without_file(session);
  if (!settings) return settings.error();
  auto found = drivers::check_driver_file(*settings, "lua");
  if (!found.file) return std::move(found.file).error().within("the driver of policies in Lua");
  return std::move(found.file);
}

}  // namespace gantry::cli
