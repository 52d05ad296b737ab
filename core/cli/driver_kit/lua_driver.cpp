// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/lua_driver.hpp"

#include "core/drivers/judge/driver_files.hpp"

namespace gantry::cli {

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

Result<drivers::DriverFile> lua_driver(const Session& session) {
  const auto settings = settings_without_file(session);
  if (!settings) return settings.error();
  auto found = drivers::check_driver_file(*settings, "lua");
  if (!found.file) return std::move(found.file).error().within("the driver of policies in Lua");
  return std::move(found.file);
}

}  // namespace gantry::cli
