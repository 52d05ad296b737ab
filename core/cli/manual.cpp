// SPDX-License-Identifier: Apache-2.0
#include "core/cli/manual.hpp"

#include "core/cli/help_text.hpp"

namespace gantry::cli {

namespace {

// scdoc takes _ and * for emphasis and starts lines of its own meaning with a few others.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '_' || letter == '*' || letter == '\\' || letter == '<' || letter == '`') safe += '\\';
    safe += letter;
  }
  return safe;
}

std::string option_entry(const Option& option) {
  std::string text;
  if (option.letter != 0) text += std::string("*-") + option.letter + "*, ";
  text += "*--" + escaped(option.name) + "*";
  if (!option.value_name.empty()) text += " _" + escaped(option.value_name) + "_";
  return text + "\n\t" + escaped(option_help(option)) + "\n\n";
}

std::string command_entry(const Command& command) {
  std::string text =
      "## " + command.path + "\n\n" + escaped(command.summary) + ".\n\n*" + escaped(usage_line(command)) + "*\n\n";
  if (!command.description.empty()) text += escaped(command.description) + "\n\n";
  for (const Positional& positional : command.positionals)
    text += "_" + escaped(positional.name) + "_\n\t" + escaped(positional.help) + "\n\n";
  for (const Option& option : command.options) text += option_entry(option);
  if (command.examples.empty()) return text;
  text += "Examples:\n\n```\n";
  for (const Example& example : command.examples) text += "# " + example.what + "\n" + example.line + "\n";
  return text + "```\n\n";
}

}  // namespace

std::string manual(const CommandTable& table) {
  std::string text =
      "gantry(1)\n\n# NAME\n\ngantry - talks to the Gantry scheduler service, or is a host's agent\n\n# SYNOPSIS\n\n"
      "*gantry* [options] _COMMAND_ [options]\n\n# DESCRIPTION\n\nAsks a running *gantryd* for destinations, creates "
      "and "
      "deletes instances, shows and changes what decisions rest on, judges drivers and configuration without a daemon, "
      "and runs as the agent of a host.\n\n*gantry help* _COMMAND_ explains a command.\n\n# OPTIONS\n\n"
      "These may stand before a command or behind it.\n\n";
  for (const Option& option : table.global_options) text += option_entry(option);
  text += "# COMMANDS\n\n";
  for (const Command& command : table.commands)
    if (!command.hidden) text += command_entry(command);
  text +=
      "# JSON\n\nWith *-o json* an answer is one JSON document on standard output, of *events* one on each line, and a "
      "text such as that of *completion* is the member of an object. Whatever else there is to say is a line of JSON "
      "on "
      "standard error:\n\n```\n"
      "{\"error\":{\"code\":\"no_valid_host\",\"message\":\"...\",\"details\":{...},\"exit_code\":3}}\n"
      "{\"warning\":\"...\"}\n{\"notice\":\"...\"}\n```\n\n"
      "An answer comes with an error where there is one all the same: the hosts of *select --explain* that are all "
      "out, "
      "the servers that were deleted before one that could not be. Commands that take several names answer a list. "
      "Log lines of *agent* and what *--debug* says stay text.\n\n# EXIT STATUS\n\n";
  for (const ExitStatus& status : exit_statuses())
    text += "*" + std::to_string(status.code) + "*\n\t" + escaped(status.meaning) + "\n\n";
  text +=
      "# ENVIRONMENT\n\n*GANTRY\\_URL*\n\tWhere the daemon is, if --url does not say\n\n*NO\\_COLOR*\n\tNo colours\n\n"
      "*GANTRY\\_SDK*\n\tThe prefix of the SDK for *driver new*, *build* and *dev*; otherwise that of this program\n\n"
      "*GANTRY\\_CONFIG*\n\tThe configuration file, if --config does not say; its socket is where the daemon is\n\n"
      "*GANTRY\\_<SECTION>\\_\\_<KEY>*\n\tSets a key of the configuration\n\n*XDG\\_STATE\\_HOME*\n\tWhere an agent "
      "keeps "
      "its state\n\n# FILES\n\n_/etc/gantry/gantry.toml_\n\tThe configuration\n\n_/run/gantry/gantry.sock_\n\tThe "
      "daemon's socket\n";
  return text;
}

}  // namespace gantry::cli
