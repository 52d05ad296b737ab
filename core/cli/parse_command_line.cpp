// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/program_options.hpp>

#include "core/cli/terminal/arguments.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::cli {

namespace {

namespace po = boost::program_options;

constexpr const char* positional_key = "=words";

Error usage(std::string message) {
  return Error{ErrorCode::invalid_argument, std::move(message), ""};
}

std::string see(const std::string& path) {
  return path.empty() ? "; `gantry --help` shows all commands" : "; `gantry " + path + " --help` shows its use";
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known, const std::string& prefix) {
  const std::string near = nearest(word, known);
  return near.empty() ? std::string() : "; did you mean `" + prefix + near + "`?";
}

std::vector<std::string> first_words(const CommandTable& table) {
  std::vector<std::string> words;
  for (const Group& group : table.groups) words.push_back(group.name);
  for (const Command& command : table.commands)
    if (!command.hidden && command.path.find(' ') == std::string::npos) words.push_back(command.path);
  return words;
}

std::vector<std::string> verbs_of(const CommandTable& table, const std::string& group) {
  std::vector<std::string> verbs;
  for (const Command* command : table.in_group(group)) verbs.push_back(command->path.substr(group.size() + 1));
  return verbs;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Whether `word` is an option whose value is the next word.
bool takes_next(const std::vector<Option>& options, const std::string& word) {
  return std::ranges::any_of(options, [&](const Option& option) {
    return option.kind != ValueKind::flag &&
           (word == "--" + option.name || (option.letter != 0 && word == std::string("-") + option.letter));
  });
}

// The command's words taken out of the line: what is left is options and positionals.
struct Split {
  std::vector<std::string> path;
  std::vector<std::string> rest;
  std::string stray;  // the first option before the command that is not one of every command's
};

bool is_known(const std::vector<Option>& options, const std::string& word) {
  return std::ranges::any_of(options, [&](const Option& option) {
    const std::string name = "--" + option.name;
    return word == name || word.starts_with(name + "=") ||
           (option.letter != 0 && word[1] == option.letter && word[0] == '-');
  });
}

Split take_path(const CommandTable& table, const std::vector<std::string>& words) {
  Split split;
  std::size_t wanted = 1;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (split.path.size() == wanted || word == "--") {
      split.rest.insert(split.rest.end(), words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
      break;
    }
    if (word.size() > 1 && word[0] == '-') {
      split.rest.push_back(word);
      if (split.stray.empty() && !is_known(table.global_options, word)) split.stray = word;
      if (takes_next(table.global_options, word) && at + 1 < words.size()) split.rest.push_back(words[++at]);
      continue;
    }
    split.path.push_back(word);
    if (split.path.size() == 1 && table.is_group(word)) wanted = 2;
  }
  return split;
}

bool asks(const std::vector<std::string>& words, std::string_view option, std::string_view letter) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (word == option || (!letter.empty() && word == letter)) return true;
  }
  return false;
}

Result<Parsed> help_for(const CommandTable& table, std::vector<std::string> path) {
  Parsed parsed;
  if (!path.empty() && path[0] == "help") path.erase(path.begin());
  parsed.what = Parsed::What::help;
  if (path.empty()) return parsed;
  std::string whole = path[0];
  for (std::size_t at = 1; at < path.size(); ++at) whole += " " + path[at];
  parsed.command = table.find(whole);
  if (parsed.command != nullptr) return parsed;
  if (path.size() == 1 && table.is_group(path[0])) {
    parsed.group = path[0];
    return parsed;
  }
  const bool known_group = table.is_group(path[0]);
  const std::vector<std::string> known = known_group ? verbs_of(table, path[0]) : first_words(table);
  return usage("there is no command `" + whole + "`" +
               suggestion(known_group ? path[1] : path[0], known, known_group ? path[0] + " " : "") + see(""));
}

Error unknown_option(const CommandTable& table, const std::string& word) {
  std::vector<std::string> names;
  for (const Option& option : table.global_options) names.push_back("--" + option.name);
  return usage("unknown option " + word.substr(0, word.find('=')) + " before the command" +
               suggestion(word.substr(0, word.find('=')), names, "") + see(""));
}

po::options_description describe(const std::vector<const Option*>& options) {
  po::options_description described;
  for (const Option* option : options) {
    std::string names = option->name;
    if (option->letter != 0) names += std::string(",") + option->letter;
    const po::value_semantic* semantic = nullptr;
    if (option->kind == ValueKind::flag)
      semantic = po::bool_switch();
    else if (option->repeatable)
      semantic = po::value<std::vector<std::string>>()->composing();
    else
      semantic = po::value<std::string>();
    described.add_options()(names.c_str(), semantic, "");
  }
  described.add_options()(positional_key, po::value<std::vector<std::string>>());
  return described;
}

Result<po::variables_map> read(const std::vector<const Option*>& options, const std::vector<std::string>& words,
                               const std::string& path) {
  std::vector<std::string> names;
  names.reserve(options.size());
  for (const Option* option : options) names.push_back("--" + option->name);
  try {
    const po::options_description described = describe(options);
    po::positional_options_description positionals;
    positionals.add(positional_key, -1);
    po::variables_map values;
    po::store(po::command_line_parser(words)
                  .options(described)
                  .positional(positionals)
                  .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
                  .run(),
              values);
    return values;
  } catch (const po::unknown_option& problem) {
    return usage("unknown option " + problem.get_option_name() + suggestion(problem.get_option_name(), names, "") +
                 see(path));
  } catch (const po::error& problem) {
    return usage(std::string(problem.what()) + see(path));
  }
}

std::string in_quotes(const Option& option, const std::string& word) {
  return "--" + option.name + ": found \"" + word + "\", expected ";
}

std::string number_text(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

Result<void> check(const Option& option, const std::string& word) {
  Arguments one;
  one.put("it", word);
  if (option.kind == ValueKind::integer && !one.integer("it"))
    return usage(in_quotes(option, word) + "a whole number, such as --" + option.name + " 4");
  if (option.kind == ValueKind::number && !one.number("it")) return usage(in_quotes(option, word) + "a number");
  const bool numeric = option.kind == ValueKind::integer || option.kind == ValueKind::number;
  if (numeric && *one.number("it") < option.minimum)
    return usage(in_quotes(option, word) + "at least " + number_text(option.minimum));
  if (numeric && option.maximum && *one.number("it") > *option.maximum)
    return usage(in_quotes(option, word) + "at most " + number_text(*option.maximum));
  if (!option.choices.empty() && std::ranges::find(option.choices, word) == option.choices.end())
    return usage(in_quotes(option, word) + "one of " + joined(option.choices) + suggestion(word, option.choices, ""));
  return {};
}

Result<void> take_option(const Option& option, const po::variables_map& values, Arguments& arguments,
                         const std::string& path) {
  const auto found = values.find(option.name);
  std::vector<std::string> given;
  if (found != values.end() && !found->second.empty()) {
    if (option.kind == ValueKind::flag) {
      if (found->second.as<bool>()) arguments.put(option.name, "true");
      return {};
    }
    if (option.repeatable)
      given = found->second.as<std::vector<std::string>>();
    else
      given.push_back(found->second.as<std::string>());
  }
  if (given.empty() && option.required)
    return usage("--" + option.name + " " + option.value_name + " is missing: " + option.help + see(path));
  if (given.empty() && !option.fallback.empty()) given.push_back(option.fallback);
  for (std::string& word : given) {
    if (auto good = check(option, word); !good) return std::move(good).error();
    arguments.put(option.name, std::move(word));
  }
  return {};
}

Result<void> take_positionals(const Command& command, const po::variables_map& values, Arguments& arguments) {
  std::vector<std::string> words;
  if (values.count(positional_key) != 0) words = values[positional_key].as<std::vector<std::string>>();
  std::size_t at = 0;
  for (const Positional& positional : command.positionals) {
    if (positional.required && at == words.size())
      return usage(positional.name + " is missing: " + positional.help + see(command.path));
    const std::size_t end = positional.many ? words.size() : std::min(at + 1, words.size());
    for (; at < end; ++at) arguments.put(positional.name, words[at]);
  }
  if (at < words.size())
    return usage("`gantry " + command.path + "` has no use for \"" + words[at] + "\"" + see(command.path));
  return {};
}

Result<Parsed> run_of(const CommandTable& table, const Command& command, const std::vector<std::string>& words) {
  std::vector<const Option*> options;
  for (const Option& option : command.options) options.push_back(&option);
  for (const Option& option : table.global_options) options.push_back(&option);
  auto values = read(options, words, command.path);
  if (!values) return std::move(values).error();
  Parsed parsed;
  parsed.command = &command;
  for (const Option* option : options)
    if (auto taken = take_option(*option, *values, parsed.arguments, command.path); !taken)
      return std::move(taken).error();
  if (auto taken = take_positionals(command, *values, parsed.arguments); !taken) return std::move(taken).error();
  return parsed;
}

}  // namespace

Result<Parsed> parse_command_line(const CommandTable& table, const std::vector<std::string>& words) {
  const Split split = take_path(table, words);
  if (asks(split.rest, "--help", "-h")) return help_for(table, split.path);
  if (!split.stray.empty()) return unknown_option(table, split.stray);
  if (!split.path.empty() && split.path[0] == "help") {
    std::vector<std::string> topic;
    for (const std::string& word : split.rest)
      if (!word.starts_with('-')) topic.push_back(word);
    return help_for(table, topic);
  }
  if (split.path.empty()) {
    if (asks(split.rest, "--version", "")) {
      Parsed parsed;
      parsed.what = Parsed::What::version;
      return parsed;
    }
    const Command nothing{.path = "", .summary = ""};
    if (auto read_all = run_of(table, nothing, split.rest); !read_all) return std::move(read_all).error();
    return usage("a command is missing" + see(""));
  }
  if (split.path.size() == 1 && table.is_group(split.path[0]))
    return usage("`gantry " + split.path[0] + "` needs one of " + joined(verbs_of(table, split.path[0])) +
                 see(split.path[0]));
  const std::string path = split.path.size() == 1 ? split.path[0] : split.path[0] + " " + split.path[1];
  const Command* command = table.find(path);
  if (command == nullptr) return help_for(table, split.path);
  return run_of(table, *command, split.rest);
}

}  // namespace gantry::cli
