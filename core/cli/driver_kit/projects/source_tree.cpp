// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/projects/source_tree.hpp"

#include <algorithm>
#include <set>

namespace gantry::cli {

namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& file) {
  static const std::set<std::string> endings{".c", ".cc", ".cpp", ".cxx"};
  return endings.contains(file.extension().string());
}

bool is_test(const fs::path& file) {
  const std::string stem = file.stem().string();
  return stem.ends_with("test") || stem.starts_with("test");
}

std::vector<fs::path> sources_in(const fs::path& directory) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, none))
    if (entry.is_regular_file(none) && is_source(entry.path()) && !is_test(entry.path())) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

std::string names_of(const std::vector<fs::path>& files) {
  std::string names;
  for (const fs::path& file : files) names.append(names.empty() ? "" : ", ").append(file.filename().string());
  return names.empty() ? "none of them" : names;
}

}  // namespace

fs::path policy_of(const fs::path& place) {
  if (place.extension() == ".lua") return place;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(place, none))
    if (entry.path().extension() == ".lua" && sources_in(place).empty()) return entry.path();
  return {};
}

Result<SourceTree> recognize(const fs::path& place) {
  std::error_code none;
  if (fs::is_regular_file(place, none) && is_source(place))
    return SourceTree{BuildSystem::one_source, place.has_parent_path() ? place.parent_path() : ".", place};
  if (const fs::path policy = policy_of(place); !policy.empty())
    return Error{
        ErrorCode::invalid_argument,
        policy.string() +
            ": expected sources of a driver, found a policy in Lua, which needs no build and no "
            "installation; `gantry driver dev` tries it, `gantry driver test` grades it, and gantry-lua(7) has "
            "how to configure it",
        ""};
  if (!fs::is_directory(place, none))
    return Error{fs::exists(place, none) ? ErrorCode::invalid_argument : ErrorCode::not_found,
                 place.string() + ": expected a directory or a source file (.c, .cpp), found " +
                     (fs::exists(place, none) ? "another file" : "nothing of that name"),
                 ""};
  const std::vector<std::pair<const char*, BuildSystem>> signs{{"Cargo.toml", BuildSystem::cargo},
                                                               {"CMakeLists.txt", BuildSystem::cmake},
                                                               {"GNUmakefile", BuildSystem::make},
                                                               {"Makefile", BuildSystem::make},
                                                               {"makefile", BuildSystem::make}};
  for (const auto& [name, system] : signs)
    if (fs::exists(place / name, none)) return SourceTree{system, place, {}};
  const std::vector<fs::path> sources = sources_in(place);
  if (sources.size() == 1) return SourceTree{BuildSystem::one_source, place, sources.front()};
  return Error{ErrorCode::invalid_argument,
               place.string() + ": expected Cargo.toml, CMakeLists.txt, Makefile or one source file, found " +
                   names_of(sources) + "; `gantry driver new` makes a project",
               ""};
}

fs::path build_directory(const SourceTree& tree, const std::string& sanitizer) {
  return tree.directory / (sanitizer.empty() ? "build" : "build-" + sanitizer);
}

}  // namespace gantry::cli
