// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/command_line.hpp"

#include <boost/program_options.hpp>

#include "core/config/environment.hpp"
#include "gantry/driver.h"

namespace gantry::daemon {

namespace {

namespace options = boost::program_options;

constexpr const char* options_text =
    "Options:\n"
    "  -c, --config FILE       the config file (default /etc/gantry/gantry.toml, or $GANTRY_CONFIG)\n"
    "  --config-dir DIRECTORY  its drop-ins (default conf.d beside the file)\n"
    "  --set KEY=VALUE         sets one key: --set log.level=debug; may be repeated\n"
    "  --check-config          judges whether a start would succeed, then ends: config, drivers, certificate, log, "
    "store;\n"
    "                          each driver is created in a process of its own\n"
    "  --version               prints version and driver ABI\n"
    "  -h, --help              prints this\n";

options::options_description known_options() {
  options::options_description all;
  auto add = all.add_options();
  add("config,c", options::value<std::string>());
  add("config-dir", options::value<std::string>());
  add("set", options::value<std::vector<std::string>>());
  add("check-config", "");
  add("version", "");
  add("help,h", "");
  return all;
}

// gantryd has options alone. Without this Boost says "too many positional options".
Result<void> check_no_words(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  return Error{ErrorCode::invalid_argument,
               "expected options alone, found the word '" + words.front() +
                   "'; gantryd --help lists the options, and commands such as status belong to gantry(1)",
               {}};
}

}  // namespace

Result<CommandLine> parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  try {
    options::variables_map given;
    const auto style = options::command_line_style::default_style & ~options::command_line_style::allow_guessing;
    const auto known = known_options();
    const auto parsed = options::command_line_parser(argc, argv).options(known).style(style).run();
    const auto words = options::collect_unrecognized(parsed.options, options::include_positional);
    if (auto checked = check_no_words(words); !checked) return std::move(checked).error();
    options::store(parsed, given);
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
  text
      << "gantryd: the Gantry scheduler service\n\n"
         "It reads its config, loads the scheduler drivers named there, opens its store and serves until SIGTERM.\n"
         "SIGHUP opens its log file anew and applies what has changed in the config (gantry reload).\n\n"
      << options_text
      << "\nExamples:\n"
         "  gantryd --config ./gantry.toml --set scheduler_driver=chance\n"
         "  gantryd --check-config && gantry restart --wait\n\n"
         "Exit statuses: 0 ended as asked; 1 failed, another start may succeed; 2 wrong command line; 65 the store is\n"
         "refused; 77 a file, directory or socket that it may not use; 78 config or a required driver refused.\n"
         "See gantryd(8), gantry(1), gantry.toml(5).\n";
  return text.str();
}

std::string version_text() {
  return std::string("gantryd ") + GANTRY_VERSION + ", driver ABI " + GANTRY_ABI_TEXT + "\n";
}

}  // namespace gantry::daemon
