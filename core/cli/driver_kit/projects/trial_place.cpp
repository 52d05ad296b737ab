// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/projects/trial_place.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/cli/driver_kit/lua_driver.hpp"
#include "core/cli/driver_kit/projects/trial_fleet.hpp"
#include "core/cli/driver_kit/replaced_file.hpp"
#include "core/cli/driver_kit/toml_list.hpp"
#include "core/config/sources/tree.hpp"
#include "core/drivers/judge/driver_files.hpp"
#include "core/files/errno_text.hpp"

namespace gantry::cli {

namespace {

namespace fs = std::filesystem;

Error failed(const fs::path& path, const std::string& what, int number) {
  return {number == EACCES ? ErrorCode::permission_denied : ErrorCode::failed_precondition,
          path.string() + ": " + what + ": " + files::errno_text(number), ""};
}

// Below the home directory, for drivers are loaded from no directory that others may write to, such as /tmp.
Result<fs::path> cache_directory(const Session& session) {
  const auto& variables = session.environment().variables;
  for (const auto& [variable, below] : {std::pair{"XDG_CACHE_HOME", ""}, std::pair{"HOME", ".cache"}}) {
    const auto found = variables.find(variable);
    if (found != variables.end() && found->second.starts_with('/')) return fs::path(found->second) / below / "gantry";
  }
  return Error{ErrorCode::failed_precondition,
               "expected $HOME or $XDG_CACHE_HOME to name a directory, found neither; name a directory with --keep DIR",
               ""};
}

// Adds the library's filters to those that the driver filter has by default.
std::string filter_section(const config::Settings& settings, const drivers::DriverFile& library) {
  std::vector<std::string> enabled;
  const drivers::CheckedFile filter = drivers::check_driver_file(settings, "filter");
  if (filter.file)
    for (const drivers::OptionDeclaration& option : filter.file->manifest.options)
      if (const auto* names = option.name == "enabled_filters" && option.default_value
                                  ? std::get_if<std::vector<std::string>>(&*option.default_value)
                                  : nullptr)
        enabled = *names;
  for (const drivers::OfferDeclaration& offer : library.manifest.offers)
    if (offer.kind.starts_with("gantry.filter/")) enabled.push_back(offer.name);
  return "\n[driver.filter]\nlibraries = " + toml_list({library.manifest.id + ".so"}) +
         "\nenabled_filters = " + toml_list(enabled) + "\n";
}

// Holds the directory until the descriptor is closed, or the process killed. The lock is on a file of its own, for the
// daemon locks the directory of its socket.
files::Descriptor held(const fs::path& directory) {
  files::Descriptor open(::open((directory / "held").c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  return open.is_open() && ::flock(open.number(), LOCK_EX | LOCK_NB) == 0 ? std::move(open) : files::Descriptor();
}

// Removes the directories of killed processes. The daemon of one ends by itself.
void remove_left_behind(const fs::path& cache) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache, ignored))
    if (entry.path().filename().string().starts_with("dev-") && held(entry.path()).is_open())
      fs::remove_all(entry.path(), ignored);
}

}  // namespace

Result<TrialPlace> TrialPlace::make(const Session& session, const std::string& kept) {
  std::error_code problem;
  if (!kept.empty()) {
    const fs::path directory = fs::absolute(kept, problem).lexically_normal();
    if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) return failed(directory, "cannot be made", errno);
    return TrialPlace(directory, true, {});
  }
  const auto cache = cache_directory(session);
  if (!cache) return cache.error();
  fs::create_directories(*cache, problem);
  remove_left_behind(*cache);
  std::string directory = (*cache / "dev-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) return failed(*cache, "cannot hold a directory", errno);
  return TrialPlace(directory, false, held(directory));
}

TrialPlace::TrialPlace(TrialPlace&& other) noexcept
    : directory_(std::exchange(other.directory_, {})), is_kept_(other.is_kept_), held_(std::move(other.held_)) {}

TrialPlace::~TrialPlace() {
  std::error_code ignored;
  if (!is_kept_ && !directory_.empty()) fs::remove_all(directory_, ignored);
}

Result<void> TrialPlace::take(const Session& session, const drivers::DriverFile& file, const fs::path& policy) {
  const auto defaults = settings_without_file(session);  // the trial is apart from the system's configuration
  if (!defaults) return defaults.error();
  const bool is_library = file.kind == drivers::FileKind::library;
  const std::string id = file.manifest.id;
  const std::string name = policy.empty() ? id : policy.stem().string();

  std::error_code problem;
  fs::create_directories(path("drivers"), problem);
  const auto content = content_of(file.path);
  if (!content) return content.error();
  if (auto copied = replace_file(path("drivers/" + id + ".so"), content->value_or(""), 0644); !copied) return copied;
  std::vector<std::string> directories{path("drivers")};
  for (const std::string& directory : defaults->driver_directories) directories.push_back(directory);
  const std::string configuration =
      "scheduler_driver = " + config::to_toml(is_library ? "filter" : name) +
      "\ndriver_directories = " + toml_list(directories) + "\nserver.socket = " + config::to_toml(path("socket")) +
      "\nstore.path = " + config::to_toml(path("store.db")) + "\nscheduling.service_down_time = 86400\n" +
      (is_library ? filter_section(*defaults, file) : "") +
      (policy.empty() ? ""
                      : "\n[driver." + config::key_to_toml(name) + "]\nfile = " + config::to_toml(id + ".so") +
                            "\npolicy = " + config::to_toml(fs::absolute(policy, problem).string()) + "\n");
  if (auto written = replace_file(path("gantry.toml"), configuration, 0600); !written) return written;
  return replace_file(path("fleet.toml"), trial_fleet(file), 0600);
}

std::string trial_topic(const drivers::DriverFile& file) {
  return file.manifest.topics.empty() ? "compute" : file.manifest.topics.front();
}

}  // namespace gantry::cli
