// SPDX-License-Identifier: Apache-2.0
#include "core/files/installation.hpp"

#include <array>
#include <optional>
#include <system_error>

namespace gantry::files {
namespace {

namespace fs = std::filesystem;

// Below the prefix, where programs of Gantry stand.
constexpr std::array<const char*, 3> program_directories{GANTRY_BINDIR, GANTRY_SBINDIR, GANTRY_LIBEXECDIR "/gantry"};

fs::path own_directory() {
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none).parent_path();
}

// Returns `path` without the components of `ending`. nullopt if the path ends otherwise.
std::optional<fs::path> without_ending(fs::path path, fs::path ending) {
  while (!ending.empty()) {
    if (path.filename() != ending.filename()) return std::nullopt;
    path = path.parent_path();
    ending = ending.parent_path();
  }
  return path;
}

}  // namespace

fs::path installation_prefix() {
  const fs::path directory = own_directory();
  for (const fs::path programs : program_directories)
    if (auto found = without_ending(directory, programs)) return *found;
  return GANTRY_PREFIX;
}

fs::path library_directory(const fs::path& prefix) {
  return prefix / GANTRY_LIBDIR;
}

fs::path bundled_driver_directory() {
  return library_directory(installation_prefix()) / "gantry" / "drivers";
}

fs::path companion_program(std::string_view name) {
  std::error_code none;
  auto beside = own_directory() / name;
  if (fs::exists(beside, none)) return beside;
  for (const fs::path programs : program_directories)
    if (auto installed = installation_prefix() / programs / name; fs::exists(installed, none)) return installed;
  return installation_prefix() / GANTRY_LIBEXECDIR / "gantry" / name;
}

}  // namespace gantry::files
