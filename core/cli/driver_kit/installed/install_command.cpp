// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "core/cli/driver_kit/installed/installation_step.hpp"
#include "core/cli/driver_kit/judged_file.hpp"
#include "core/cli/driver_kit/kit_commands.hpp"
#include "core/cli/driver_kit/toml_list.hpp"
#include "core/cli/terminal/output.hpp"
#include "core/config/keys.hpp"
#include "core/config/sources/tree.hpp"
#include "core/drivers/judge/driver_files.hpp"

namespace gantry::cli {

namespace {

namespace fs = std::filesystem;

// The file to install, and its name.
struct NewDriver {
  drivers::DriverFile file;
  std::string name;
  fs::path place;

  bool is_library() const { return file.kind == drivers::FileKind::library; }
};

Result<NewDriver> judge_new(const Arguments& arguments, const fs::path& directory) {
  std::error_code none;
  auto file = judge_file(fs::absolute(arguments.text("FILE"), none).lexically_normal().string());
  if (!file) return std::move(file).error();
  NewDriver made{*std::move(file), "", {}};
  const std::string id = made.file.manifest.id;
  made.name = arguments.has("name") ? arguments.text("name") : id;
  made.place = directory / (id + ".so");
  if (!config::is_driver_id(made.name))
    return Error{ErrorCode::invalid_argument,
                 "--name: expected 1 to 64 letters, digits, _ and -, found \"" + made.name + "\"", ""};
  if (made.is_library() && made.name != id)
    return Error{ErrorCode::invalid_argument,
                 "--name: a library of filters and weighers has the name of its file, " + id + "; leave --name out",
                 ""};
  return made;
}

InstalledDrivers with(InstalledDrivers installed, const NewDriver& made, const fs::path& place) {
  if (!made.is_library()) installed.drivers[made.name] = place.string();
  const std::string file = place.filename().string();
  if (made.is_library() && std::ranges::find(installed.libraries, file) == installed.libraries.end())
    installed.libraries.push_back(file);
  return installed;
}

// The configuration as it would be, with the new file where it is tried out.
config::Sources tried(config::Sources sources, const Installation& now, const NewDriver& made,
                      const MergedDrivers& lists, const fs::path& staged) {
  if (!made.is_library()) {
    sources.overrides.push_back("scheduler_driver=" + toml_list(lists.scheduler_driver));
    sources.overrides.push_back("driver." + made.name + ".path=" + config::to_toml(staged.string()));
    return sources;
  }
  std::vector<std::string> directories{staged.parent_path().string()};
  directories.insert(directories.end(), now.loaded.settings.driver_directories.begin(),
                     now.loaded.settings.driver_directories.end());
  sources.overrides.push_back("driver_directories=" + toml_list(directories));
  sources.overrides.push_back("driver.filter.libraries=" + toml_list(lists.libraries));
  return sources;
}

// A library needs the driver that takes it.
Result<void> check_taker(const NewDriver& made, const MergedDrivers& lists) {
  if (!made.is_library() || std::ranges::find(lists.scheduler_driver, "filter") != lists.scheduler_driver.end())
    return {};
  return Error{ErrorCode::failed_precondition,
               made.file.path +
                   ": expected the driver filter in scheduler_driver, for the file is a library of filters "
                   "and weighers, found none; set scheduler_driver = \"filter\" first",
               ""};
}

// Another source may be above the drop-in.
Result<void> check_holds(const config::Loaded& loaded, const NewDriver& made) {
  const auto& settings = loaded.settings;
  if (made.is_library()) {
    const auto filter = settings.drivers.find("filter");
    const std::string file = made.place.filename().string();
    if (filter != settings.drivers.end() &&
        std::ranges::find(filter->second.libraries, file) != filter->second.libraries.end())
      return {};
    return Error{ErrorCode::failed_precondition,
                 (filter == settings.drivers.end() ? "driver.filter" : filter->second.libraries_origin) +
                     ": driver.filter.libraries: another source is above the drop-in; name " + file + " there",
                 ""};
  }
  if (std::ranges::find(settings.scheduler_driver, made.name) != settings.scheduler_driver.end()) return {};
  return Error{ErrorCode::failed_precondition,
               settings.scheduler_driver_origin + ": scheduler_driver: this source is above the drop-in; name " +
                   made.name + " there",
               ""};
}

void print_plan(Session& session, const NewDriver& made, const MergedDrivers& lists, const fs::path& drop_in,
                std::string_view state) {
  if (session.format() == OutputFormat::json) {
    json::object told = facts_of(made.file);
    told["name"] = made.name;
    told["path"] = made.place.string();
    told["configuration"] = drop_in.string();
    json::array replaced;
    for (const std::string& name : lists.replaced) replaced.emplace_back(name);
    told["replaces"] = std::move(replaced);
    told["state"] = state;
    print_json(session, told);
    return;
  }
  if (session.quiet()) return;
  session.out() << state << ": " << made.place.string() << ", named in " << drop_in.string() << '\n';
  for (const std::string& name : lists.replaced)
    session.out() << made.name << " serves the topic of " << name << ", which gives way\n";
  for (const drivers::OfferDeclaration& offer : made.file.manifest.offers)
    if (offer.kind.starts_with("gantry.filter/"))
      session.out() << "to use " << offer.name << ", name it in enabled_filters of [driver.filter]\n";
}

// Tries the configuration out with the file in the staging directory.
Result<void> try_out(const config::Sources& sources, const Installation& now, const NewDriver& made,
                     const MergedDrivers& lists, const Staging& staging, const std::string& content) {
  const fs::path staged = staging.path() / made.place.filename();
  if (auto copied = replace_file(staged, content, 0644); !copied) return copied;
  if (auto good = check_configuration(tried(sources, now, made, lists, staged), true); !good)
    return std::move(good).error();
  return {};
}

Result<int> install(Session& session, const Arguments& arguments) {
  session.set_topic("");
  const bool is_dry = arguments.flag("dry-run");
  std::optional<Staging> staging;
  auto now = is_dry ? read_installation(session) : hold_installation(session, staging);
  if (!now) return std::move(now).error();
  auto made = judge_new(arguments, now->directory);
  if (!made) return std::move(made).error();
  const config::Sources sources = session.sources();
  const fs::path drop_in = installed_drop_in(sources);
  const auto lists = merged(now->loaded.settings, now->configured, with(now->installed, *made, made->file.path));
  if (auto taken = check_taker(*made, lists); !taken) return std::move(taken).error();
  if (is_dry) {
    print_plan(session, *made, lists, drop_in, "would be installed");
    return 0;
  }

  const auto content = content_of(made->file.path);
  if (!content) return content.error();
  if (auto tried = try_out(sources, *now, *made, lists, *staging, content->value_or("")); !tried)
    return std::move(tried).error();

  FileChanges changes(session);
  std::error_code none;
  if (!fs::exists(made->place, none))
    if (auto noted = staging->note(made->place); !noted) return std::move(noted).error();
  if (auto placed = changes.replace(made->place, **content); !placed) return std::move(placed).error();
  const auto installed = with(now->installed, *made, made->place);
  if (auto named = write_drop_in(changes, sources, installed, lists); !named) return std::move(named).error();
  auto good = check_configuration(sources, false);
  if (!good) return std::move(good).error();
  if (auto holds = check_holds(*good, *made); !holds) return std::move(holds).error();
  const bool restarts = arguments.flag("restart");
  if (auto restarted = restart_if_asked(session, restarts); !restarted)
    return std::move(restarted).error().within("put back as it was");
  changes.keep();
  print_plan(session, *made, lists, drop_in, restarts ? "installed and loaded" : "installed");
  if (!restarts && session.format() == OutputFormat::table && !session.quiet())
    print_notice(session, "`gantry restart --wait` has the daemon load it");
  return 0;
}

}  // namespace

Command driver_install_command() {
  return {
      .path = "driver install",
      .summary = "Installs a driver or a library of filters and weighers: file, configuration, check and restart",
      .description =
          "Judges the file, tries the configuration with it out in a process of its own, copies it with mode 0644 into "
          "the last of driver_directories and names it in conf.d/90-installed-drivers.toml beside the configuration "
          "file. Drivers of the same topics give way, and are back after `gantry driver remove`. A library of filters "
          "and weighers goes to the driver filter. If a step fails, file and configuration are as they were; each is "
          "replaced as a whole, so that a crash leaves the old or the new one. Without --restart the daemon goes on "
          "with what it has loaded. Needs no daemon but for --restart.",
      .positionals = {{"FILE", "The shared object, as `gantry driver build` makes it"}},
      .options = {{.name = "name",
                   .kind = ValueKind::text,
                   .value_name = "NAME",
                   .help = "The driver's name in the configuration; otherwise the id in its manifest"},
                  {.name = "restart", .help = "Has the daemon load it, as `gantry restart --wait` does"},
                  {.name = "dry-run", .help = "Judges the file and says what would be done"}},
      .examples = {{"gantry driver install build/lib/gantry/drivers/spread.so --dry-run", "what would it change?"},
                   {"gantry driver install spread.so --restart", "a new driver, or a new version of one"}},
      .run = install};
}

}  // namespace gantry::cli
