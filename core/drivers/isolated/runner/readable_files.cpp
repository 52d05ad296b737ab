// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner/readable_files.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>

#include "core/drivers/judge/library_search.hpp"
#include "core/drivers/load/option_files.hpp"
#include "core/files/descriptor.hpp"

namespace gantry::drivers::isolated {
namespace {

constexpr std::uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
// All that the first Landlock knows. The runner has no system call that would need more.
constexpr std::uint64_t everything = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1U) - 1;

// Landlock does not know the sealed copies of files. It takes no rule for them, and never refuses them.
void allow_reading(int rules, int descriptor) {
  struct stat file {};
  if (::fstat(descriptor, &file) != 0) return;
  landlock_path_beneath_attr rule{};
  rule.parent_fd = descriptor;
  rule.allowed_access = S_ISDIR(file.st_mode) ? reading : std::uint64_t{LANDLOCK_ACCESS_FS_READ_FILE};
  ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

}  // namespace

std::vector<std::string> readable_paths(const RunnerStart& start, const std::vector<const DriverFile*>& files) {
  std::vector<std::string> paths{"/etc/ld.so.cache",
                                 "/etc/localtime",
                                 "/usr/local/lib",
                                 "/usr/share/locale",
                                 "/usr/share/zoneinfo",
                                 "/dev/null",
                                 "/dev/urandom",
                                 "/proc/self",
                                 "/proc/cpuinfo",
                                 "/proc/meminfo",
                                 "/sys/devices/system/cpu",
                                 "/sys/devices/system/node"};
  const auto search = process_search({});
  paths.insert(paths.end(), search.system.begin(), search.system.end());
  paths.insert(paths.end(), search.first.begin(), search.first.end());
  for (const DriverFile* file : files) {
    for (const auto& name : file->libraries) {
      for (const auto& path : find_library(search, name))
        paths.push_back(std::filesystem::path(path).parent_path().string());
    }
  }
  // A driver that is given a path is meant to read what lies there.
  const auto given = option_paths(start.section);
  paths.insert(paths.end(), given.begin(), given.end());
  return paths;
}

bool read_nothing_but(const std::vector<std::string>& paths, const std::vector<int>& descriptors) {
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = everything;
  const files::Descriptor rules(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled.handled_access_fs), 0)));
  if (!rules.is_open()) return false;
  for (const auto& path : paths) {
    const files::Descriptor opened(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (opened.is_open()) allow_reading(rules.number(), opened.number());
  }
  for (const int descriptor : descriptors) allow_reading(rules.number(), descriptor);
  return ::syscall(SYS_landlock_restrict_self, rules.number(), 0) == 0;
}

}  // namespace gantry::drivers::isolated
