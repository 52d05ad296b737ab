// SPDX-License-Identifier: Apache-2.0
#include "core/cli/help_text.hpp"

#include <algorithm>

#include "core/cli/terminal/exit_code.hpp"
#include "core/cli/terminal/text_table.hpp"

namespace gantry::cli {

namespace {

constexpr std::size_t line_width = 100;

// Words filled into lines that start `indent` columns in.
std::string filled(const std::string& text, std::size_t indent) {
  const std::string margin(indent, ' ');
  std::string lines;
  std::size_t column = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (column > 0 && column + 1 + display_width(word) > line_width - indent) {
      lines += "\n" + margin;
      column = 0;
    }
    lines += (column == 0 ? "" : " ") + word;
    column += display_width(word) + (column == 0 ? 0 : 1);
    begin = end + 1;
  }
  return lines;
}

// Two columns: a word and what it means.
std::string rows(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::size_t widest = 0;
  for (const auto& [word, meaning] : pairs) widest = std::max(widest, word.size());
  widest = std::min<std::size_t>(widest, 30);
  std::string text;
  for (const auto& [word, meaning] : pairs) {
    text += "  " + word;
    if (word.size() > widest)
      text += "\n" + std::string(widest + 4, ' ');
    else
      text += std::string(widest - word.size() + 2, ' ');
    text += filled(meaning, widest + 4) + "\n";
  }
  return text;
}

std::string options_section(const std::string& title, const std::vector<Option>& options) {
  if (options.empty()) return "";
  std::vector<std::pair<std::string, std::string>> pairs;
  pairs.reserve(options.size());
  for (const Option& option : options) pairs.emplace_back(option_words(option), option_help(option));
  return "\n" + title + ":\n" + rows(pairs);
}

std::string command_help(const CommandTable& table, const Command& command) {
  std::string text = command.summary + ".\n\nUsage: " + usage_line(command) + "\n";
  if (!command.description.empty()) text += "\n" + filled(command.description, 0) + "\n";
  if (!command.positionals.empty()) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const Positional& positional : command.positionals) pairs.emplace_back(positional.name, positional.help);
    text += "\n" + rows(pairs);
  }
  text += options_section("Options", command.options);
  if (!command.examples.empty()) {
    text += "\nExamples:\n";
    for (const Example& example : command.examples) text += "  # " + example.what + "\n  " + example.line + "\n";
  }
  std::string globals;
  for (const Option& option : table.global_options) globals += (globals.empty() ? "--" : ", --") + option.name;
  return text + "\nOptions of every command (`gantry --help` explains them):\n  " + filled(globals, 2) + "\n";
}

std::string group_help(const CommandTable& table, const std::string& name) {
  const auto group = std::ranges::find(table.groups, name, &Group::name);
  std::string text = group->summary + ".\n\nUsage: gantry " + name + " COMMAND [options]\n\n";
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Command* command : table.in_group(name)) pairs.emplace_back(command->path, command->summary);
  text += rows(pairs) + "\nExamples:\n";
  for (const Command* command : table.in_group(name))
    if (!command->examples.empty()) text += "  " + command->examples.front().line + "\n";
  return text + "\n`gantry help " + name + " COMMAND` explains one of them.\n";
}

std::string program_help(const CommandTable& table) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Group& group : table.groups) {
    std::string verbs;
    for (const Command* command : table.in_group(group.name))
      verbs += (verbs.empty() ? "" : ", ") + command->path.substr(group.name.size() + 1);
    pairs.emplace_back(group.name, group.summary + " (" + verbs + ")");
  }
  for (const Command& command : table.commands)
    if (!command.hidden && command.path.find(' ') == std::string::npos)
      pairs.emplace_back(command.path, command.summary);
  pairs.emplace_back("help COMMAND", "Explains a command, with examples");
  std::string text =
      "Talks to the Gantry scheduler service, or is a host's agent.\n\n"
      "Usage: gantry [options] COMMAND [options]\n\nCommands:\n" +
      rows(pairs);
  text += options_section("Options of every command, before it or behind", table.global_options);
  text +=
      "\nExamples:\n  # is it well?\n  gantry status\n  # a server, from nothing\n  gantry agent --host c1 &\n"
      "  gantry server create web\n  # why there?\n  gantry server show web\n"
      "  # what would happen\n  gantry select --flavor m1.large --explain\n\nExit codes:\n";
  std::vector<std::pair<std::string, std::string>> codes;
  for (const ExitStatus& status : exit_statuses()) codes.emplace_back(std::to_string(status.code), status.meaning);
  return text + rows(codes);
}

}  // namespace

std::vector<ExitStatus> exit_statuses() {
  return {{exit_code::success, "done"},
          {exit_code::failure, "failed; the message says why"},
          {exit_code::usage, "the command line or the request is wrong"},
          {exit_code::no_valid_host, "no valid host was found"},
          {exit_code::unsound, "`gantry doctor` or a comparison found something"},
          {exit_code::unreachable, "no daemon answered"},
          {exit_code::permission_denied, "permission denied"},
          {exit_code::invalid_configuration, "the configuration or a driver file is refused"}};
}

std::string usage_line(const Command& command) {
  std::string line = "gantry " + command.path;
  for (const Option& option : command.options)
    if (option.required) line += " --" + option.name + " " + option.value_name;
  if (!command.options.empty()) line += " [options]";
  for (const Positional& positional : command.positionals) {
    std::string word = positional.name + (positional.many ? "..." : "");
    line += positional.required ? " " + word : " [" + word + "]";
  }
  return line;
}

std::string option_words(const Option& option) {
  std::string words = option.letter == 0 ? "    --" : std::string("-") + option.letter + ", --";
  words += option.name;
  return option.value_name.empty() ? words : words + " " + option.value_name;
}

std::string option_help(const Option& option) {
  std::string help = option.help;
  if (!option.choices.empty()) {
    std::string choices;
    for (const std::string& choice : option.choices) choices += (choices.empty() ? "" : ", ") + choice;
    help += "; one of " + choices;
  }
  if (!option.fallback.empty()) help += " (" + option.fallback + ")";
  if (option.repeatable) help += "; may be given again";
  return help;
}

std::string help_text(const CommandTable& table, const Parsed& wanted) {
  if (wanted.command != nullptr) return command_help(table, *wanted.command);
  if (!wanted.group.empty()) return group_help(table, wanted.group);
  return program_help(table);
}

}  // namespace gantry::cli
