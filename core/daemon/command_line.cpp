// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/command_line.hpp"

#include <boost/program_options.hpp>

#include "core/config/environment.hpp"
#include "gantry/driver.h"

namespace gantry::daemon {

namespace {

namespace options = boost::program_options;

options::options_description described() {
  options::options_description all("Options");
  auto add = all.add_options();
  add("config,c", options::value<std::string>(),
      "the config file (default /etc/gantry/gantry.toml, or $GANTRY_CONFIG)");
  add("config-dir", options::value<std::string>(), "its drop-ins (default conf.d beside the file)");
  add("set", options::value<std::vector<std::string>>(), "sets one key: --set log.level=debug; may be repeated");
  add("check-config", "judges config, driver files, certificate and key without running anything, then ends");
  add("version", "prints version and driver ABI");
  add("help,h", "prints this");
  return all;
}

}  // namespace

Result<CommandLine> parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  try {
    options::variables_map given;
    const auto style = options::command_line_style::default_style & ~options::command_line_style::allow_guessing;
    const options::positional_options_description none;
    options::store(options::command_line_parser(argc, argv).options(described()).positional(none).style(style).run(),
                   given);
    line.sources = config::sources_from(config::environment_variables());
    if (given.count("config") != 0) {
      line.sources.file = given["config"].as<std::string>();
      line.sources.file_must_exist = true;
    }
    if (given.count("config-dir") != 0) line.sources.drop_in_directory = given["config-dir"].as<std::string>();
    if (given.count("set") != 0) line.sources.overrides = given["set"].as<std::vector<std::string>>();
    line.check_config = given.count("check-config") != 0;
    line.version = given.count("version") != 0;
    line.help = given.count("help") != 0;
  } catch (const options::error& error) {
    return Error{ErrorCode::invalid_argument, std::string(error.what()) + "; gantryd --help lists the options", {}};
  }
  return line;
}

std::string help_text() {
  std::ostringstream text;
  text << "gantryd: the Gantry scheduler service\n\n"
          "It reads its config, loads the scheduler drivers named there, opens its store and serves until SIGTERM.\n"
          "SIGHUP opens its log file anew.\n\n"
       << described()
       << "\nExamples:\n"
          "  gantryd --config ./gantry.toml --set scheduler_driver=chance\n"
          "  gantryd --check-config && systemctl restart gantryd\n\n"
          "Exit codes: 0 ended as asked, 1 runtime failure, 2 usage, 77 a file or socket that it may not use,\n"
          "78 config or a required driver refused.\n"
          "See gantryd(8), gantry(1), gantry.toml(5).\n";
  return text.str();
}

std::string version_text() {
  return std::string("gantryd ") + GANTRY_VERSION + ", driver ABI " + GANTRY_ABI_TEXT + "\n";
}

}  // namespace gantry::daemon
