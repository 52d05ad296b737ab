// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/option_files.hpp"

#include <sys/stat.h>

#include <variant>

namespace gantry::drivers {
namespace {

using OptionMap = std::map<std::string, config::OptionSource>;

void add_path(const std::string& text, std::vector<std::string>& paths) {
  if (text.starts_with('/')) paths.push_back(text);
}

void add_paths_among(const OptionMap& options, std::vector<std::string>& paths) {
  for (const auto& [name, option] : options) {
    if (const auto* const text = std::get_if<std::string>(&option.value)) add_path(*text, paths);
    if (const auto* const texts = std::get_if<std::vector<std::string>>(&option.value)) {
      for (const auto& text : *texts) add_path(text, paths);
    }
    if (const auto* const table = std::get_if<std::map<std::string, std::string>>(&option.value)) {
      for (const auto& [key, text] : *table) add_path(text, paths);
    }
  }
}

std::string stamp_of(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return {};
  return std::to_string(file.st_dev) + ' ' + std::to_string(file.st_ino) + ' ' + std::to_string(file.st_size) + ' ' +
         std::to_string(file.st_mtim.tv_sec) + '.' + std::to_string(file.st_mtim.tv_nsec);
}

}  // namespace

std::vector<std::string> option_paths(const config::DriverSettings& section) {
  std::vector<std::string> paths;
  add_paths_among(section.options, paths);
  for (const auto& [name, offer] : section.offers) add_paths_among(offer.options, paths);
  return paths;
}

FileStamps stamps_of(const std::vector<std::string>& paths) {
  FileStamps stamps;
  for (const auto& path : paths) stamps.emplace(path, stamp_of(path));
  return stamps;
}

std::vector<std::string> changed_since(const FileStamps& before) {
  std::vector<std::string> changed;
  for (const auto& [path, stamp] : before)
    if (stamp_of(path) != stamp) changed.push_back(path);
  return changed;
}

}  // namespace gantry::drivers
