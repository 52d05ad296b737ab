// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
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

// Says which level it is, by which signs, and what it does by default. A level that may be another one is a warning.
void say_level(Session& session, const nova::LevelReview& review) {
  const auto& level = review.level;
  for (const std::string& warning : level.warnings) print_warning(session, warning);
  if (level.could_be.size() > 1) print_warning(session, level.summary() + "; " + level.signs.back());
  if (session.quiet()) return;
  if (level.could_be.size() <= 1) print_notice(session, level.summary());
  for (const std::string& sign : level.signs) print_notice(session, "  " + sign);
  for (const auto& one : review.defaults) print_notice(session, "default: " + line_of(one));
}

// Reads the files as Nova does. nullptr: one makes no sense, which has been said.
Result<std::unique_ptr<const config::nova::Conf>> read_conf(Session& session, const Texts& names) {
  std::vector<config::nova::ConfFile> files;
  files.reserve(names.size());
  bool is_sound = true;
  for (const std::string& name : names) {
    auto text = read_file(session, name);
    if (!text) return std::move(text).error();
    auto parsed = config::nova::parse_conf_file(*text, name == "-" ? "standard input" : name);
    if (!parsed) say_problem(session, parsed.error().message);
    is_sound = is_sound && parsed;
    if (parsed) files.push_back(*std::move(parsed));
  }
  if (!is_sound) return std::unique_ptr<const config::nova::Conf>();
  return std::make_unique<const config::nova::Conf>(std::move(files));
}

Result<nova::LevelReview> review_of(const Arguments& arguments, const config::nova::Conf& conf, const Texts& names) {
  auto level = nova::choose_level(arguments.text("compatibility"), conf, names);
  if (!level) return std::move(level).error();
  auto defaults = config::nova::other_defaults(conf, level->release);
  return nova::LevelReview{*std::move(level), std::move(defaults)};
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
Result<int> serve_nova(Session& session, const Texts& files, const config::nova::Conf& conf,
                       const nova::LevelReview& review) {
  const auto release = config::nova::name_of(review.level.release);
  config::Sources sources;
  sources.file.clear();
  sources.overrides = {"nova.config_files=" + config::to_toml(config::nova::to_node(files)),
                       "driver.filter.compatibility=" + config::to_toml(release)};
  const auto loaded = config::load(sources);
  if (!loaded) return loaded.error();
  for (const std::string& warning : loaded->warnings) print_warning(session, warning);
  auto translation =
      config::nova::translate(conf, review.level.release, config::nova::Purpose::deployment, config::fault_of_key);
  for (const config::nova::LeftOut& one : translation.no_counterpart)
    if (!one.is_unknown) print_warning(session, "no counterpart: " + nova::line_of(one));
  const nova::ServedSettings served(files, *loaded, std::move(translation.no_counterpart), review);
  if (session.format() == OutputFormat::json)
    print_json(session, served.as_json());
  else if (session.format() == OutputFormat::value)
    served.as_table().print_values(session.out());
  else
    session.out() << served.as_toml();
  say_level(session, review);
  return 0;
}

// The files by the names that gantryd reads them by.
Result<Texts> files_to_serve(const Arguments& arguments) {
  const std::string told = arguments.text("compatibility");
  const auto release = config::nova::release_named(told);
  if (release && *release < config::nova::Release::zed)
    return Error{ErrorCode::invalid_argument, "--serve: expected a Nova of Zed or later, found --compatibility " + told,
                 ""};
  Texts files;
  for (const std::string& name : arguments.all("FILE")) {
    if (name == "-")
      return Error{ErrorCode::invalid_argument, "--serve: expected files that gantryd can read, found standard input",
                   ""};
    files.push_back(std::filesystem::absolute(name).lexically_normal());
  }
  return files;
}

void print_values(Session& session, const config::nova::Translation& translation) {
  TextTable table({"KEY", "VALUE"});
  for (const config::nova::Carried& one : translation.carried) table.add({one.key, config::to_toml(one.value)});
  table.print_values(session.out());
}

}  // namespace

Result<int> import_nova(Session& session, const Arguments& arguments) {
  session.set_topic("");
  if (const std::string told = arguments.text("compatibility"); !told.empty() && !config::nova::release_named(told))
    return Error{ErrorCode::invalid_argument, "--compatibility: " + config::nova::fault_of_release(told), ""};
  const bool is_served = arguments.flag("serve");
  auto given = is_served ? files_to_serve(arguments) : Result<Texts>(arguments.all("FILE"));
  if (!given) return std::move(given).error();
  auto names = config::nova::with_directories_opened(*given);
  if (!names) return std::move(names).error();
  auto conf = read_conf(session, *names);
  if (!conf) return std::move(conf).error();
  if (!*conf) return exit_code::invalid_configuration;
  const auto review = review_of(arguments, **conf, *names);
  if (!review) return review.error();
  if (is_served) return serve_nova(session, *given, **conf, *review);

  config::nova::Translation translation =
      config::nova::translate(**conf, review->level.release, config::nova::Purpose::import, config::fault_of_key);
  for (const std::string& problem : translation.problems) say_problem(session, problem);
  if (!translation.problems.empty()) return exit_code::invalid_configuration;
  if (session.format() == OutputFormat::json)
    print_json(session, nova::written_as_json(translation, *review));
  else if (session.format() == OutputFormat::value)
    print_values(session, translation);
  else
    session.out() << nova::written_as_toml(translation, *names, *review);
  say_level(session, *review);
  summarise(session, translation, review->level.release);
  return 0;
}

}  // namespace gantry::cli
