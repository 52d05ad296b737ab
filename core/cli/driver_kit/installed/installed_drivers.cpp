// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/installed/installed_drivers.hpp"

#include <algorithm>
#include <set>

#include "core/cli/driver_kit/judged_file.hpp"
#include "core/cli/driver_kit/toml_list.hpp"
#include "core/config/sources/files.hpp"
#include "core/config/sources/toml.hpp"
#include "core/drivers/judge/driver_files.hpp"

namespace gantry::cli {

namespace {

namespace fs = std::filesystem;

using Names = std::vector<std::string>;

bool holds(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Returns the texts of a list, or of one text.
Names names_of(const config::Node& node) {
  if (const auto* text = node.get<std::string>()) return {*text};
  Names names;
  if (const auto* list = node.get<config::Array>())
    for (const config::Node& item : *list)
      if (const auto* text = item.get<std::string>()) names.push_back(*text);
  return names;
}

const config::Table* table_of(const config::Table& tree, std::string_view key) {
  const config::Member* member = tree.find(key);
  return member == nullptr ? nullptr : member->node.get<config::Table>();
}

const config::Member* libraries_of_filter(const config::Table& tree) {
  const config::Table* sections = table_of(tree, "driver");
  const config::Table* filter = sections == nullptr ? nullptr : table_of(*sections, "filter");
  return filter == nullptr ? nullptr : filter->find("libraries");
}

Result<config::Table> tree_of(const fs::path& path) {
  const auto file = config::read_file(path.string());
  if (!file) return file.error();
  if (!*file) return config::Table{};
  return config::parse_toml((*file)->text, path.string());
}

// The topics of a driver that is configured or installed; none if its file is refused.
std::set<std::string> topics_of(const Result<drivers::DriverFile>& file) {
  if (!file) return {};
  return {file->manifest.topics.begin(), file->manifest.topics.end()};
}

}  // namespace

fs::path installed_drop_in(const config::Sources& sources) {
  const fs::path directory = sources.drop_in_directory.empty() ? fs::path(sources.file).parent_path() / "conf.d"
                                                               : fs::path(sources.drop_in_directory);
  return directory / "90-installed-drivers.toml";
}

Result<InstalledDrivers> read_installed(const config::Sources& sources) {
  const auto tree = tree_of(installed_drop_in(sources));
  if (!tree) return tree.error();
  InstalledDrivers installed;
  if (const config::Table* sections = table_of(*tree, "driver"))
    for (const config::Member& section : sections->members) {
      const auto* keys = section.node.get<config::Table>();
      const config::Member* path = keys == nullptr ? nullptr : keys->find("path");
      if (path != nullptr && !names_of(path->node).empty())
        installed.drivers[section.key] = names_of(path->node).front();
    }
  if (const config::Member* libraries = libraries_of_filter(*tree)) {
    const auto configured = read_configured(sources);
    if (!configured) return configured.error();
    for (const std::string& name : names_of(libraries->node))
      if (!holds(configured->libraries, name)) installed.libraries.push_back(name);
  }
  return installed;
}

Result<ConfiguredDrivers> read_configured(const config::Sources& sources) {
  ConfiguredDrivers configured{config::Settings().scheduler_driver, {}};
  const fs::path own = installed_drop_in(sources);
  std::vector<std::string> files{sources.file};
  const auto others = config::drop_ins(own.parent_path().string());
  if (!others) return others.error();
  if (*others) files.insert(files.end(), (*others)->begin(), (*others)->end());
  for (const std::string& file : files) {
    if (file == own.string()) continue;
    const auto tree = tree_of(file);
    if (!tree) return tree.error();
    if (const config::Member* list = tree->find("scheduler_driver")) configured.scheduler_driver = names_of(list->node);
    if (const config::Member* list = libraries_of_filter(*tree)) configured.libraries = names_of(list->node);
  }
  return configured;
}

MergedDrivers merged(const config::Settings& settings, const ConfiguredDrivers& configured,
                     const InstalledDrivers& installed) {
  MergedDrivers lists;
  std::set<std::string> taken;
  for (const auto& [name, path] : installed.drivers) taken.merge(topics_of(open_for_reading(path)));
  for (const std::string& name : configured.scheduler_driver) {
    if (installed.drivers.contains(name)) continue;
    const std::set<std::string> topics = topics_of(drivers::check_driver_file(settings, name).file);
    const bool gives_way = std::ranges::any_of(topics, [&](const auto& topic) { return taken.contains(topic); });
    (gives_way ? lists.replaced : lists.scheduler_driver).push_back(name);
  }
  for (const auto& [name, path] : installed.drivers) lists.scheduler_driver.push_back(name);
  lists.libraries = configured.libraries;
  for (const std::string& name : installed.libraries)
    if (!holds(lists.libraries, name)) lists.libraries.push_back(name);
  return lists;
}

std::string drop_in_text(const InstalledDrivers& installed, const MergedDrivers& lists) {
  std::string text =
      "# Written by `gantry driver install` and `gantry driver remove`. Its lists hold above those of the other files: "
      "run\n"
      "# one of the two again after a change of scheduler_driver or of driver.filter.libraries there.\n";
  if (!installed.drivers.empty()) text += "scheduler_driver = " + toml_list(lists.scheduler_driver) + "\n";
  const std::string libraries = installed.libraries.empty() ? "" : "libraries = " + toml_list(lists.libraries) + "\n";
  for (const auto& [name, path] : installed.drivers)
    text += "\n[driver." + config::key_to_toml(name) + "]\npath = " + config::to_toml(path) + "\n" +
            (name == "filter" ? libraries : "");
  if (!installed.drivers.contains("filter") && !libraries.empty()) text += "\n[driver.filter]\n" + libraries;
  return text;
}

}  // namespace gantry::cli
