// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/nova/served.hpp"
#include "core/cli/nova/written.hpp"
#include "core/cli/terminal/exit_code.hpp"
#include "core/cli/terminal/output.hpp"
#include "core/cli/terminal/read_file.hpp"
#include "core/cli/terminal/session.hpp"
#include "core/config/keys.hpp"
#include "core/config/load.hpp"
#include "core/config/nova/value.hpp"
#include "core/config/nova/wanted_files.hpp"

namespace gantry::cli {

namespace {

using Texts = std::vector<std::string>;

void say_problem(Session& session, const std::string& message) {
  print_error(session, Error{ErrorCode::invalid_configuration, message, ""});
}

// Prints the differences to standard error, since the translation itself may go to a file.
void summarise(Session& session, const config::nova::Translation& translation, config::nova::Release release) {
  for (const config::nova::LeftOut& one : translation.no_counterpart)
    print_warning(session, "no counterpart: " + nova::line_of(one));
  if (release >= config::nova::Release::zed && !translation.older_names.empty()) {
    std::string names;
    for (const config::nova::Place& place : translation.older_names)
      names += (names.empty() ? "" : ", ") + place.name();
    print_warning(session, "releases since Pike do not read " + names +
                               ": --compatibility ocata or icehouse, if the file is of such a release");
  }
  if (session.quiet()) return;
  if (!translation.added.empty()) print_notice(session, "enabled_filters: " + translation.added);
  const auto from_files =
      std::ranges::count_if(translation.carried, [](const auto& one) { return one.from.has_value(); });
  print_notice(session, std::to_string(from_files) + " options carried over, " +
                            std::to_string(translation.no_counterpart.size()) + " without a counterpart, " +
                            std::to_string(translation.not_needed.size()) + " not needed, " +
                            std::to_string(translation.passed_over) + " that are not about scheduling passed over");
  if (!translation.for_deployments.empty())
    print_notice(session,
                 "the files also say how to reach a Nova deployment: for Gantry in the place of nova-scheduler, name "
                 "them in [nova] config_files; `gantry config import-nova --serve` shows what it takes");
}

// Prints the configuration of a Gantry that takes the place of nova-scheduler. The values stay in the files.
Result<int> serve_nova(Session& session, const Arguments& arguments) {
  const std::string release = arguments.text("compatibility");
  if (config::nova::release_named(release) < config::nova::Release::zed)
    return Error{ErrorCode::invalid_argument,
                 "--serve: expected a Nova of Zed or later, found --compatibility " + release, ""};
  Texts files;
  for (const std::string& name : arguments.all("FILE")) {
    if (name == "-")
      return Error{ErrorCode::invalid_argument, "--serve: expected files that gantryd can read, found standard input",
                   ""};
    files.push_back(std::filesystem::absolute(name).lexically_normal());
  }
  config::Sources sources;
  sources.file.clear();
  sources.overrides = {"nova.config_files=" + config::to_toml(config::nova::to_node(files)),
                       "driver.filter.compatibility=" + config::to_toml(std::string_view(release))};
  const auto loaded = config::load(sources);
  if (!loaded) return loaded.error();
  for (const std::string& warning : loaded->warnings) print_warning(session, warning);
  const nova::ServedSettings served(files, *loaded);
  if (session.format() == OutputFormat::json)
    print_json(session, served.as_json());
  else if (session.format() == OutputFormat::value)
    served.as_table().print_values(session.out());
  else
    session.out() << served.as_toml();
  return 0;
}

void print_values(Session& session, const config::nova::Translation& translation) {
  TextTable table({"KEY", "VALUE"});
  for (const config::nova::Carried& one : translation.carried) table.add({one.key, config::to_toml(one.value)});
  table.print_values(session.out());
}

}  // namespace

Result<int> import_nova(Session& session, const Arguments& arguments) {
  session.set_topic("");
  if (arguments.flag("serve")) return serve_nova(session, arguments);
  const config::nova::Release release = config::nova::release_named(arguments.text("compatibility"));
  auto names = config::nova::with_directories_opened(arguments.all("FILE"));
  if (!names) return std::move(names).error();
  std::vector<config::nova::ConfFile> files;
  files.reserve(names->size());
  bool is_sound = true;
  for (const std::string& name : *names) {
    auto text = read_file(session, name);
    if (!text) return std::move(text).error();
    auto parsed = config::nova::parse_conf_file(*text, name == "-" ? "standard input" : name);
    if (!parsed) say_problem(session, parsed.error().message);
    is_sound = is_sound && parsed;
    if (parsed) files.push_back(*std::move(parsed));
  }
  if (!is_sound) return exit_code::invalid_configuration;

  const config::nova::Translation translation = config::nova::translate(
      config::nova::Conf(std::move(files)), release, config::nova::Purpose::import, config::fault_of_key);
  for (const std::string& problem : translation.problems) say_problem(session, problem);
  if (!translation.problems.empty()) return exit_code::invalid_configuration;
  if (session.format() == OutputFormat::json)
    print_json(session, nova::written_as_json(translation));
  else if (session.format() == OutputFormat::value)
    print_values(session, translation);
  else
    session.out() << nova::written_as_toml(translation, *names);
  summarise(session, translation, release);
  return 0;
}

}  // namespace gantry::cli
