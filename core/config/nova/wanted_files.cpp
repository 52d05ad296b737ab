// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/wanted_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/config/sources/files.hpp"

namespace gantry::config::nova {

namespace {

Result<std::vector<std::string>> conf_files_in(const std::string& directory) {
  std::vector<std::string> found;
  std::error_code problem;
  for (auto entry = std::filesystem::directory_iterator(directory, problem);
       !problem && entry != std::filesystem::directory_iterator(); entry.increment(problem))
    if (const std::string name = entry->path().filename(); name.ends_with(".conf") && !name.starts_with('.'))
      found.push_back(entry->path());
  if (problem) return Error{ErrorCode::not_found, directory + ": cannot be read: " + problem.message(), ""};
  if (found.empty()) return Error{ErrorCode::not_found, directory + ": expected *.conf in it, found none", ""};
  std::ranges::sort(found);
  return found;
}

void read_one(const std::string& path, WantedFiles& wanted) {
  auto text = read_file(path);
  if (!text) return wanted.problems.push_back(text.error().message);
  if (!*text)
    return wanted.problems.push_back(path + ": expected a file of a Nova deployment, found none of that name");
  if ((*text)->others_may_read)
    wanted.warnings.push_back(path + ": everyone may read it, and it holds passwords; do: chmod o-r " + path);
  auto parsed = parse_conf_file((*text)->text, path);
  if (parsed)
    wanted.files.push_back(*std::move(parsed));
  else
    wanted.problems.push_back(parsed.error().message);
}

}  // namespace

Result<std::vector<std::string>> with_directories_opened(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code problem;
    if (!std::filesystem::is_directory(path, problem)) {
      files.push_back(path);
      continue;
    }
    auto found = conf_files_in(path);
    if (!found) return std::move(found).error();
    files.insert(files.end(), found->begin(), found->end());
  }
  return files;
}

WantedFiles read_wanted_files(const std::vector<std::string>& paths) {
  WantedFiles wanted;
  for (const std::string& path : paths) {
    const auto files = with_directories_opened({path});
    if (!files) {
      wanted.problems.push_back(files.error().message);
      continue;
    }
    for (const std::string& file : *files) read_one(file, wanted);
  }
  return wanted;
}

}  // namespace gantry::config::nova
