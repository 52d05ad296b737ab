// SPDX-License-Identifier: Apache-2.0
#include "core/cli/completion.hpp"

#include <functional>
#include <vector>

namespace gantry::cli {

namespace {

// Text inside single quotes of a shell.
std::string in_quotes(const std::string& text) {
  std::string quoted_text = "'";
  for (const char letter : text) {
    if (letter == '\'')
      quoted_text += "'\\''";
    else
      quoted_text += letter;
  }
  return quoted_text + "'";
}

std::string options_of(const std::vector<Option>& options) {
  std::string words;
  for (const Option& option : options) {
    words += (words.empty() ? "--" : " --") + option.name;
    if (option.letter != 0) words += std::string(" -") + option.letter;
  }
  return words;
}

std::string top_words(const CommandTable& table) {
  std::string words = "help";
  for (const Group& group : table.groups) words += " " + group.name;
  for (const Command& command : table.commands)
    if (!command.hidden && command.path.find(' ') == std::string::npos) words += " " + command.path;
  return words;
}

std::string verbs(const CommandTable& table, const std::string& group) {
  std::string words;
  for (const Command* command : table.in_group(group))
    words += (words.empty() ? "" : " ") + command->path.substr(group.size() + 1);
  return words;
}

// A case for each option with choices: bash and zsh complete the word behind it.
std::string choice_cases(const CommandTable& table, const std::function<std::string(const std::string&)>& offer) {
  std::string cases;
  const auto add = [&](const Option& option) {
    const auto& values = option.choices.empty() ? option.suggestions : option.choices;
    if (values.empty()) return;
    std::string pattern = "--" + option.name;
    if (option.letter != 0) pattern += std::string("|-") + option.letter;
    std::string words;
    for (const std::string& choice : values) words += (words.empty() ? "" : " ") + choice;
    cases += "    " + pattern + ") " + offer(words) + "; return ;;\n";
  };
  for (const Option& option : table.global_options) add(option);
  for (const Command& command : table.commands)
    for (const Option& option : command.options) add(option);
  return cases;
}

std::string options_with_values(const CommandTable& table) {
  std::string words;
  for (const Option& option : table.global_options) {
    if (option.kind == ValueKind::flag) continue;
    words += (words.empty() ? "--" : "|--") + option.name;
    if (option.letter != 0) words += std::string("|-") + option.letter;
  }
  return words;
}

// The part that bash and zsh share: which words of the command stand before the cursor.
std::string path_loop(const CommandTable& table, const std::string& words, const std::string& first,
                      const std::string& last) {
  return "  local path='' skip=0 i\n  for ((i = " + first + "; i < " + last +
         "; i++)); do\n    if ((skip)); then skip=0; continue; fi\n"
         "    case \"" +
         words + "\" in\n      " + options_with_values(table) +
         ") skip=1 ;;\n      -*) ;;\n"
         "      *) path=\"${path:+$path }" +
         words + "\" ;;\n    esac\n  done\n";
}

// The words of a command, and the names that the daemon lists: offer(words, command that lists the names, or empty).
using Offer = std::function<std::string(const std::string&, const std::string&)>;

std::string word_cases(const CommandTable& table, const Offer& offer_all) {
  const auto offer = [&offer_all](const std::string& words) { return offer_all(words, ""); };
  const std::string globals = options_of(table.global_options);
  std::string cases = "    '') " + offer(top_words(table) + " " + globals) + " ;;\n";
  for (const Group& group : table.groups)
    cases += "    " + in_quotes(group.name) + "|" + in_quotes("help " + group.name) + ") " +
             offer(verbs(table, group.name)) + " ;;\n";
  cases += "    help) " + offer(top_words(table)) + " ;;\n";
  for (const Command& command : table.commands) {
    if (command.hidden) continue;
    std::string words = options_of(command.options) + (command.options.empty() ? "" : " ") + globals;
    if (command.path == "completion") words += " bash zsh fish";
    cases += "    " + in_quotes(command.path) + "|" + in_quotes(command.path + " ") + "*) " +
             offer_all(words, command.positionals.empty() ? "" : command.positionals.back().listed_by) + " ;;\n";
  }
  return cases;
}

}  // namespace

std::string bash_completion(const CommandTable& table) {
  const auto offer = [](const std::string& words) {
    return "COMPREPLY=($(compgen -W " + in_quotes(words) + " -- \"$word\"))";
  };
  // compgen expands its words, so that only names of plain letters, digits, dots and dashes are offered.
  const auto offer_names = [&offer](const std::string& words, const std::string& lister) {
    if (lister.empty()) return offer(words);
    return "local names; names=$(gantry --timeout 2 -o value " + lister +
           " 2>/dev/null | cut -f1 | grep -xE '[A-Za-z0-9._-]+'); " + "COMPREPLY=($(compgen -W " +
           in_quotes(words + " ") + "\"$names\" -- \"$word\"))";
  };
  return "# bash completion for gantry\n_gantry() {\n  local word=\"${COMP_WORDS[COMP_CWORD]}\"\n"
         "  local before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n  case \"$before\" in\n" +
         choice_cases(table, offer) +
         "    --config|--config-dir|--request|-r|--simulate|--launch|--terminate|--collectors|--state-dir) "
         "COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n  esac\n" +
         path_loop(table, "${COMP_WORDS[i]}", "1", "COMP_CWORD") + "  case \"$path\" in\n" +
         word_cases(table, offer_names) +
         "  esac\n  if [[ ${#COMPREPLY[@]} -eq 0 && $word != -* ]]; then COMPREPLY=($(compgen -f -- \"$word\")); "
         "fi\n}\n"
         "complete -F _gantry gantry\n";
}

std::string zsh_completion(const CommandTable& table) {
  const auto offer = [](const std::string& words) { return "compadd -- " + words; };
  return "#compdef gantry\n_gantry() {\n  case \"${words[CURRENT-1]}\" in\n" + choice_cases(table, offer) +
         "    --config|--config-dir|--request|-r|--simulate|--launch|--terminate|--collectors|--state-dir) _files; "
         "return ;;\n  "
         "esac\n" +
         path_loop(table, "${words[i]}", "2", "CURRENT") + "  case \"$path\" in\n" +
         word_cases(table, [&offer](const auto& words, const auto& /*lister*/) { return offer(words); }) +
         "  esac\n  [[ \"${words[CURRENT]}\" == -* ]] || _files\n}\n"
         "if [[ \"$funcstack[1]\" == _gantry ]]; then _gantry \"$@\"; else compdef _gantry gantry; fi\n";
}

std::string fish_completion(const CommandTable& table) {
  std::string text = "# fish completion for gantry\n";
  const auto option_line = [&text](const Option& option, const std::string& condition) {
    text += "complete -c gantry" + (condition.empty() ? std::string() : " -n " + in_quotes(condition)) + " -l " +
            option.name;
    if (option.letter != 0) text += std::string(" -s ") + option.letter;
    if (option.kind != ValueKind::flag) text += " -r";
    if (const auto& values = option.choices.empty() ? option.suggestions : option.choices; !values.empty()) {
      std::string words;
      for (const std::string& choice : values) words += (words.empty() ? "" : " ") + choice;
      text += " -f -a " + in_quotes(words);
    }
    text += " -d " + in_quotes(option.help) + "\n";
  };
  for (const Option& option : table.global_options) option_line(option, "");
  for (const Group& group : table.groups) {
    text +=
        "complete -c gantry -f -n __fish_use_subcommand -a " + group.name + " -d " + in_quotes(group.summary) + "\n";
    for (const Command* command : table.in_group(group.name)) {
      const std::string verb = command->path.substr(group.name.size() + 1);
      text += "complete -c gantry -f -n " +
              in_quotes("__fish_seen_subcommand_from " + group.name + "; and not __fish_seen_subcommand_from " +
                        verbs(table, group.name)) +
              " -a " + verb + " -d " + in_quotes(command->summary) + "\n";
      for (const Option& option : command->options)
        option_line(option, "__fish_seen_subcommand_from " + group.name + "; and __fish_seen_subcommand_from " + verb);
    }
  }
  for (const Command& command : table.commands) {
    if (command.hidden || command.path.find(' ') != std::string::npos) continue;
    text += "complete -c gantry -f -n __fish_use_subcommand -a " + command.path + " -d " + in_quotes(command.summary) +
            "\n";
    for (const Option& option : command.options) option_line(option, "__fish_seen_subcommand_from " + command.path);
  }
  return text + "complete -c gantry -f -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'\n";
}

}  // namespace gantry::cli
