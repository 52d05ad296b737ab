// SPDX-License-Identifier: Apache-2.0
#include <boost/program_options.hpp>
#include <cstdlib>
#include <iostream>

#include "core/config/environment.hpp"
#include "core/nova/check/check_program.hpp"

namespace {

namespace options = boost::program_options;

constexpr int wrong_command_line = 64;     // EX_USAGE of sysexits.h; 2 means that something failed
constexpr int invalid_configuration = 78;  // EX_CONFIG

options::options_description known_options() {
  options::options_description all("gantry-nova-check: tries what Gantry needs in the place of nova-scheduler");
  auto add = all.add_options();
  add("config,c", options::value<std::string>(), "the configuration file");
  add("config-dir", options::value<std::string>(), "its drop-ins");
  add("set", options::value<std::vector<std::string>>(), "KEY=VALUE: sets a key of the configuration");
  add("output,o", options::value<std::string>()->default_value("table"), "table, json or value");
  add("grants-for", options::value<std::string>(), "USER: prints the SQL grants for this user, and tries nothing");
  add("from", options::value<std::string>()->default_value("%"), "HOST: where this user comes from");
  add("strict", "ends with 1 where there are warnings alone");
  add("level-of", options::value<std::vector<std::string>>(),
      "FILE: prints the release of the deployment whose nova.conf this is, as JSON, and tries nothing else");
  add("help,h", "prints this");
  return all;
}

gantry::config::Sources sources_of(const options::variables_map& given) {
  auto sources = gantry::config::sources_from(gantry::config::environment_variables());
  if (given.count("config") != 0) {
    sources.file = given["config"].as<std::string>();
    sources.file_must_exist = true;
  }
  if (given.count("config-dir") != 0) sources.drop_in_directory = given["config-dir"].as<std::string>();
  if (given.count("set") != 0) sources.overrides = given["set"].as<std::vector<std::string>>();
  return sources;
}

gantry::nova::PrintFormat format_of(const std::string& word) {
  if (word == "json") return gantry::nova::PrintFormat::json;
  return word == "value" ? gantry::nova::PrintFormat::value : gantry::nova::PrintFormat::lines;
}

int run(const options::variables_map& given) {
  const auto format = format_of(given["output"].as<std::string>());
  if (given.count("level-of") != 0)
    return gantry::nova::nova_level_main(given["level-of"].as<std::vector<std::string>>(), std::cout);
  const auto loaded = gantry::config::load(sources_of(given));
  if (!loaded) {
    gantry::nova::print_check_error(loaded.error(), invalid_configuration, format, std::cerr);
    return invalid_configuration;
  }
  if (given.count("grants-for") != 0)
    return gantry::nova::nova_grants_main(*loaded, given["grants-for"].as<std::string>(),
                                          given["from"].as<std::string>(), format, std::cout, std::cerr);
  const auto printed = gantry::nova::nova_check_main(*loaded, format, std::cout);
  const bool are_warnings_alone = printed.status == gantry::nova::check_status::warnings;
  const int status = are_warnings_alone && given.count("strict") == 0 ? gantry::nova::check_status::ok : printed.status;
  if (!printed.has_ended) std::_Exit(status);  // a thread still waits for a server
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  const auto known = known_options();
  options::variables_map given;
  try {
    const auto style = options::command_line_style::default_style & ~options::command_line_style::allow_guessing;
    options::store(options::command_line_parser(argc, argv).options(known).style(style).run(), given);
  } catch (const options::error& error) {
    std::cerr << "gantry: " << error.what() << "; gantry-nova-check --help lists the options\n";
    return wrong_command_line;
  }
  if (given.count("help") != 0) {
    std::cout << known;
    return 0;
  }
  return run(given);
}
