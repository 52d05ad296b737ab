// SPDX-License-Identifier: Apache-2.0
#include "core/cli/nova/served.hpp"

#include <algorithm>
#include <utility>

#include "core/cli/nova/written.hpp"
#include "core/config/nova/value.hpp"
#include "core/encoding/printable.hpp"

namespace gantry::cli::nova {

namespace {

constexpr std::string_view preface =
    "# Made by `gantry config import-nova --serve`. The values stay in the files and are read at each start.\n"
    "# They stand here for review: a key without # holds in the place of the file's.\n";

std::string section_of(const std::string& key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string::npos ? "" : key.substr(0, dot);
}

std::string entry(const config::Shown& key) {
  const std::string section = section_of(key.key);
  const std::string name = section.empty() ? key.key : key.key.substr(section.size() + 1);
  const std::string_view sign = key.key == "scheduler_driver" ? "" : "#";
  return "# " + printable(key.origin) + "\n" + std::string(sign) + name + " = " + key.value + "\n";
}

json::array json_of(const std::vector<config::Shown>& list) {
  json::array items;
  for (const config::Shown& one : list)
    items.push_back(json::object{{"key", one.key}, {"value", one.value}, {"origin", one.origin}});
  return items;
}

}  // namespace

ServedSettings::ServedSettings(std::vector<std::string> files, const config::Loaded& loaded,
                               std::vector<config::nova::LeftOut> no_counterpart, LevelReview review)
    : files_(std::move(files)), review_(std::move(review)), no_counterpart_(std::move(no_counterpart)) {
  for (const config::Shown& one : loaded.shown) {
    if (one.origin == "default" || one.origin == "--set") continue;
    (one.key.starts_with('[') ? options_ : keys_).push_back(one);
  }
}

std::string ServedSettings::as_toml() const {
  std::string text(preface);
  const auto write = [&](std::string_view section) {
    for (const config::Shown& key : keys_)
      if (section_of(key.key) == section) text += entry(key);
  };
  text += "\n";
  write("");
  text += "\n[nova]\nconfig_files = " + config::to_toml(config::nova::to_node(files_)) + "\n";
  write("nova");
  text += "\n#[scheduling]\n";
  write("scheduling");
  text += "\n[driver.filter]\n# The deployment's release of Nova.\n" + review_.level_as_comments() +
          "compatibility = " + config::to_toml(config::nova::name_of(review_.level.release)) + "\n";
  write("driver.filter");
  text += review_.defaults_as_comments();
  if (!options_.empty()) text += "\n# Options of the files that Gantry follows, and has no key for:\n";
  for (const config::Shown& one : options_)
    text += "#   " + one.key + " = " + one.value + " (" + printable(one.origin) + ")\n";
  return text + list_of(no_counterpart_, "Options of the files that Gantry does not follow:");
}

json::object ServedSettings::as_json() const {
  json::array files;
  for (const std::string& file : files_) files.emplace_back(file);
  json::object document{{"config_files", std::move(files)},
                        {"keys", json_of(keys_)},
                        {"options", json_of(options_)},
                        {"no_counterpart", json_of(no_counterpart_)}};
  review_.add_to(document);
  return document;
}

TextTable ServedSettings::as_table() const {
  TextTable table({"KEY", "VALUE"});
  table.add({"driver.filter.compatibility", config::to_toml(config::nova::name_of(review_.level.release))});
  for (const auto* list : {&keys_, &options_})
    for (const config::Shown& one : *list) table.add({one.key, one.value});
  return table;
}

}  // namespace gantry::cli::nova
