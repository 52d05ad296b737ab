// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/judge/driver_files.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "core/drivers/file/refusal.hpp"
#include "core/drivers/judge/offer_libraries.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

Result<std::string> find_driver_file(const config::Settings& settings, const std::string& id) {
  const auto section = settings.drivers.find(id);
  const bool has_section = section != settings.drivers.end();
  if (has_section && !section->second.path.empty()) return section->second.path;
  const bool names_file = has_section && !section->second.file.empty();
  const std::string name = names_file ? section->second.file : id + ".so";
  std::string looked_for;
  for (const std::string& directory : settings.driver_directories) {
    std::string path = (std::filesystem::path(directory) / name).string();
    std::error_code failed;
    // Also a link that leads nowhere: its own rule says more than "not found".
    if (std::filesystem::exists(std::filesystem::symlink_status(path, failed))) return path;
    looked_for.append(looked_for.empty() ? "" : " or ").append(path);
  }
  const auto& named = settings.scheduler_driver;
  const bool is_configured = std::find(named.begin(), named.end(), id) != named.end();
  return refuse((is_configured ? settings.scheduler_driver_origin + ": " : "") + "driver '" + id + "'",
                {"file", looked_for.empty() ? "a path in [driver." + id + "]" : looked_for, "no such file",
                 "install the driver there, or name another file of driver_directories by file = \"...\" in [driver." +
                     id + "]"});
}

namespace {

// Gives the driver the name that the configuration knows it by. A file that a section names may have any id of its own.
Result<void> name_driver(Manifest& manifest, const std::string& id, const config::DriverSettings* section,
                         const std::string& path) {
  if (manifest.id == id) return {};
  if (section == nullptr || (section->file.empty() && section->path.empty())) {
    return refuse(path, {"id", "'" + id + "', as scheduler_driver names it", "'" + manifest.id + "' in its manifest",
                         "name the driver by its own id, or name this file by file = \"" +
                             std::filesystem::path(path).filename().string() + "\" in [driver." + id + "]"});
  }
  manifest.kind = std::exchange(manifest.id, id);
  return {};
}

Result<DriverFile> judge(const config::Settings& settings, const std::string& id, std::string& path) {
  const auto found = settings.drivers.find(id);
  const config::DriverSettings* section = found == settings.drivers.end() ? nullptr : &found->second;
  Result<std::string> located = find_driver_file(settings, id);
  if (!located) return std::move(located).error();
  path = *located;
  FileRules rules;
  if (section != nullptr) rules.sha256 = section->sha256;
  Result<DriverFile> file = open_driver_file(path, rules);
  if (!file) return file;
  if (Result<void> checked = check_abi(file->manifest, GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR); !checked) {
    return std::move(checked).error().within(path);
  }
  if (Result<void> named = name_driver(file->manifest, id, section, path); !named) return std::move(named).error();
  if (section == nullptr) return file;
  if (Result<void> judged = check_offer_libraries(settings, *section, *file); !judged) return std::move(judged).error();
  return file;
}

}  // namespace

CheckedFile check_driver_file(const config::Settings& settings, const std::string& id) {
  std::string path;
  Result<DriverFile> file = judge(settings, id, path);
  return {id, std::move(path), std::move(file)};
}

std::vector<CheckedFile> check_driver_files(const config::Settings& settings) {
  std::vector<CheckedFile> judged;
  for (const std::string& id : settings.scheduler_driver) judged.push_back(check_driver_file(settings, id));
  return judged;
}

namespace {

// Whether a driver is asked though another one is the default of its topic.
bool is_reached(const config::Settings& settings, const std::string& id, std::string_view topic) {
  const auto is_fallback = [&](const std::string& other) {
    const auto section = settings.drivers.find(other);
    return section != settings.drivers.end() && section->second.fallback == id;
  };
  const bool is_of_profile = topic == "compute" && std::ranges::find(settings.profiles, id, &config::Profile::driver) !=
                                                       settings.profiles.end();
  return is_of_profile || std::ranges::any_of(settings.scheduler_driver, is_fallback);
}

}  // namespace

Result<void> check_topics(const config::Settings& settings, const std::vector<CheckedFile>& drivers) {
  std::map<std::string, const CheckedFile*> by_id;
  std::map<std::string, const CheckedFile*> by_topic;
  for (const CheckedFile& driver : drivers) {
    const auto [same, is_new] = by_id.emplace(driver.id, &driver);
    if (!is_new) {
      return refuse(
          "scheduler_driver",
          {"ids", "each driver once", "'" + driver.id + "' twice (" + same->second->path + " and " + driver.path + ")",
           "remove one of them"});
    }
    if (!driver.file) continue;
    for (const std::string& topic : driver.file->manifest.topics) {
      const auto [other, is_first] = by_topic.emplace(topic, &driver);
      if (is_first || is_reached(settings, driver.id, topic)) continue;
      return refuse("scheduler_driver",
                    {"topics", "one driver for topic '" + topic + "', or a way to each further one",
                     "'" + other->second->id + "' (" + other->second->path + ") and '" + driver.id + "' (" +
                         driver.path + "), which nothing reaches",
                     std::string(topic == "compute" ? "name '" + driver.id + "' in a [[profile]], " : "") +
                         (topic == "compute" ? "or name" : "name") + " '" + driver.id +
                         "' as the fallback of another driver, or remove one of them"});
    }
  }
  return {};
}

}  // namespace gantry::drivers
