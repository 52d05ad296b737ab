// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "core/cli/driver_kit/installed/installation_step.hpp"
#include "core/cli/driver_kit/kit_commands.hpp"
#include "core/cli/terminal/output.hpp"

namespace gantry::cli {

namespace {

namespace fs = std::filesystem;

// The state after a removal, and the file that goes with it.
struct Removal {
  InstalledDrivers left;
  fs::path file;
};

std::vector<std::string> names_in(const InstalledDrivers& installed) {
  std::vector<std::string> names;
  for (const auto& [name, path] : installed.drivers) names.push_back(name);
  for (const std::string& library : installed.libraries) names.push_back(fs::path(library).stem().string());
  return names;
}

Error not_installed(const Installation& now, const std::string& name) {
  const auto& settings = now.loaded.settings;
  if (std::ranges::find(settings.scheduler_driver, name) != settings.scheduler_driver.end())
    return {ErrorCode::failed_precondition,
            settings.scheduler_driver_origin + ": scheduler_driver names " + name +
                ", which `gantry driver install` has not written; take the name out there",
            ""};
  std::string known;
  for (const std::string& one : names_in(now.installed)) known.append(known.empty() ? "" : ", ").append(one);
  return {ErrorCode::not_found,
          name + ": expected a driver that `gantry driver install` has installed, found " +
              (known.empty() ? "none" : known),
          ""};
}

Result<Removal> plan(const Installation& now, const std::string& name) {
  Removal removal{now.installed, {}};
  if (const auto driver = removal.left.drivers.find(name); driver != removal.left.drivers.end()) {
    removal.file = driver->second;
    removal.left.drivers.erase(driver);
    for (const auto& [other, path] : removal.left.drivers)
      if (path == removal.file.string()) removal.file.clear();  // another name still has the file
    return removal;
  }
  const auto library = std::ranges::find(removal.left.libraries, name + ".so");
  if (library == removal.left.libraries.end()) return not_installed(now, name);
  removal.file = now.directory / *library;
  removal.left.libraries.erase(library);
  return removal;
}

Result<void> check_unused(const config::Settings& settings, const std::string& name) {
  for (const auto& [other, section] : settings.drivers)
    if (section.fallback == name)
      return Error{ErrorCode::failed_precondition,
                   name + ": driver." + other + ".fallback names it (" + section.origin + "); take that out first", ""};
  return {};
}

Result<int> remove(Session& session, const Arguments& arguments) {
  session.set_topic("");
  const std::string name = arguments.text("NAME");
  const bool is_dry = arguments.flag("dry-run");
  std::optional<Staging> staging;
  auto now = is_dry ? read_installation(session) : hold_installation(session, staging);
  if (!now) return std::move(now).error();
  const auto removal = plan(*now, name);
  if (!removal) return removal.error();
  if (auto unused = check_unused(now->loaded.settings, name); !unused) return std::move(unused).error();
  const config::Sources sources = session.sources();
  const auto lists = merged(now->loaded.settings, now->configured, removal->left);
  if (!is_dry) {
    FileChanges changes(session);
    if (auto noted = removal->file.empty() ? Result<void>() : staging->note(removal->file); !noted)
      return std::move(noted).error();
    if (auto named = write_drop_in(changes, sources, removal->left, lists); !named) return std::move(named).error();
    if (auto good = check_configuration(sources, true); !good) return std::move(good).error();
    if (auto restarted = restart_if_asked(session, arguments.flag("restart")); !restarted)
      return std::move(restarted).error().within("put back as it was");
    if (!removal->file.empty())
      if (auto gone = changes.replace(removal->file, std::nullopt); !gone) return std::move(gone).error();
    changes.keep();
  }
  if (session.format() == OutputFormat::json) {
    json::array left;
    for (const std::string& driver : lists.scheduler_driver) left.emplace_back(driver);
    print_json(session, json::object{{"name", name},
                                     {"path", removal->file.string()},
                                     {"state", is_dry ? "would be removed" : "removed"},
                                     {"scheduler_driver", std::move(left)}});
  } else if (!session.quiet()) {
    std::string left;
    for (const std::string& driver : lists.scheduler_driver) left.append(left.empty() ? "" : ", ").append(driver);
    session.out() << (is_dry ? "would be removed: " : "removed: ") << name << "; scheduler_driver is " << left << '\n';
    if (!is_dry && !arguments.flag("restart"))
      print_notice(session, "the daemon goes on with what it has loaded until `gantry restart --wait`");
  }
  return 0;
}

}  // namespace

Command driver_remove_command() {
  return {
      .path = "driver remove",
      .summary = "Takes back what `gantry driver install` has installed",
      .description =
          "Takes the driver or library out of conf.d/90-installed-drivers.toml, checks the configuration, and removes "
          "the file. Drivers that had given way are back. Refused while another driver names it as its fallback. If "
          "a step fails, file and configuration are as they were.",
      .positionals = {{.name = "NAME", .help = "The driver's name, or the library's id"}},
      .options = {{.name = "restart", .help = "Has the daemon go on without it, as `gantry restart --wait` does"},
                  {.name = "dry-run", .help = "Says what would be done"}},
      .examples = {{"gantry driver remove spread --restart", "back to the driver of before"}},
      .run = remove};
}

}  // namespace gantry::cli
