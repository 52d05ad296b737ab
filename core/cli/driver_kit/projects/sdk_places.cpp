// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/projects/sdk_places.hpp"

#include <vector>

#include "core/files/installation.hpp"

namespace gantry::cli {

namespace {

namespace fs = std::filesystem;

// The directory of libraries below a prefix, which may belong to another installation than this program.
fs::path libraries_below(const fs::path& prefix) {
  const std::vector<fs::path> candidates{files::library_directory(prefix), prefix / "lib", prefix / "lib64"};
  std::error_code none;
  for (const fs::path& directory : candidates)
    if (fs::exists(directory / "pkgconfig" / "gantry-sdk.pc", none)) return directory;
  return candidates.front();
}

}  // namespace

Result<SdkPlaces> find_sdk(const Session& session) {
  const auto& variables = session.environment().variables;
  const auto named = variables.find("GANTRY_SDK");
  const bool is_named = named != variables.end() && !named->second.empty();
  std::error_code none;
  const fs::path prefix = is_named ? fs::absolute(named->second, none) : files::installation_prefix();
  const fs::path libraries = libraries_below(prefix);
  SdkPlaces places{.prefix = prefix,
                   .include = prefix / "include",
                   .maps = libraries / "cmake" / "gantry-sdk",
                   .pkg_config = libraries / "pkgconfig",
                   .data = prefix / "share" / "gantry"};
  if (fs::exists(places.include / "gantry" / "driver.h", none)) return places;
  return Error{ErrorCode::not_found,
               "the SDK: expected " + (places.include / "gantry" / "driver.h").string() + ", found none; " +
                   (is_named ? "$GANTRY_SDK names the prefix that the SDK was installed to"
                             : "install the component sdk of Gantry beside this program, or name its prefix in "
                               "$GANTRY_SDK"),
               ""};
}

}  // namespace gantry::cli
