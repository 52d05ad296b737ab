// SPDX-License-Identifier: Apache-2.0
#include "core/config/assignments.hpp"

#include <algorithm>
#include <array>

#include "core/config/keys.hpp"
#include "core/config/load.hpp"
#include "core/config/sources/toml.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::config {

namespace {

using Path = std::vector<std::string>;

constexpr std::string_view prefix = "GANTRY_";
constexpr std::string_view separator = "__";

// Read by the programs themselves, or set by them for those that they start: an agent tells a launcher's script about
// its instance in GANTRY_INSTANCE_*, and that script may call `gantry`. They are no settings.
constexpr std::array<std::string_view, 3> variables_of_programs{"GANTRY_CONFIG", "GANTRY_SDK", "GANTRY_URL"};
constexpr std::string_view prefix_of_an_instance = "GANTRY_INSTANCE_";

bool is_of_a_program(std::string_view variable) {
  if (variable.starts_with(prefix_of_an_instance)) return true;
  return std::find(variables_of_programs.begin(), variables_of_programs.end(), variable) != variables_of_programs.end();
}

std::string in_case(std::string_view text, char first, char last, int shift) {
  std::string result(text);
  for (char& c : result)
    if (c >= first && c <= last) c = static_cast<char>(c + shift);
  return result;
}
std::string lower(std::string_view text) {
  return in_case(text, 'A', 'Z', 'a' - 'A');
}
std::string upper(std::string_view text) {
  return in_case(text, 'a', 'z', 'A' - 'a');
}

Path split(std::string_view text, std::string_view by) {
  Path parts;
  for (std::size_t at = text.find(by); at != std::string_view::npos; at = text.find(by)) {
    parts.emplace_back(text.substr(0, at));
    text.remove_prefix(at + by.size());
  }
  parts.emplace_back(text);
  return parts;
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

const Key* key_at(const Path& path) {
  if (path.size() == 1) return find_key("", path[0]);
  return path.size() == 2 ? find_key(path[0], path[1]) : nullptr;
}

template <class T>
bool takes(const Key* key) {
  return key != nullptr && std::holds_alternative<Place<T>>(key->field);
}

bool is_quoted(const Node& node) {
  return node.get<std::string>() != nullptr;
}

Node split_list(std::string_view text) {
  Array items;
  for (const auto& part : split(text, ","))
    if (auto item = trimmed(part); !item.empty()) items.push_back({std::move(item)});
  return {std::move(items)};
}

// Reads the words of a shell as TOML if possible, else as text. A key for text takes 12 as "12".
Node node_from(const std::string& words, const Key* key) {
  const bool is_text = takes<std::string>(key) || (key != nullptr && key->form == Form::file_mode);
  auto value = parse_toml_value(words);
  if (is_text) return value && is_quoted(*value) ? *std::move(value) : Node{words};
  if (value) return *std::move(value);
  if (takes<std::vector<std::string>>(key)) return split_list(words);
  return {words};
}

Table tree_from(const Path& path, Node node, const std::string& origin) {
  for (auto part = path.rbegin(); part != path.rend(); ++part) {
    Table table;
    table.members.push_back({*part, std::move(node), origin});
    node = {std::move(table)};
  }
  return std::get<Table>(std::move(node.value));
}

// Text that could not stand in a file has no place here either.
bool is_printable(const std::string& words) {
  return bool(parse_toml_value(to_toml(std::string_view(words)))) && words.find('\n') == std::string::npos;
}

void add(Assignments& assignments, const Path& path, const std::string& words, const std::string& origin) {
  if (!is_printable(words)) {
    std::string name;
    for (const auto& part : path) name += (name.empty() ? "" : ".") + part;
    assignments.problems.push_back(origin + ": " + name + ": expected one line of UTF-8 text, found other bytes in it");
    return;
  }
  assignments.trees.push_back(tree_from(path, node_from(words, key_at(path)), origin));
}

std::string variable_of(const Key& key) {
  std::string variable(prefix);
  if (!key.section.empty()) variable.append(upper(key.section)).append(separator);
  return variable + upper(key.name);
}

std::string unknown_variable(const std::string& variable) {
  std::vector<std::string> known(variables_of_programs.begin(), variables_of_programs.end());
  for (const auto& key : keys()) known.push_back(variable_of(key));
  const std::string near = nearest(upper(variable), known);
  return "environment " + variable + ": unknown variable; " +
         (near.empty() ? "expected GANTRY_<KEY>, GANTRY_<SECTION>__<KEY> or GANTRY_DRIVER__<ID>__<KEY>"
                       : "did you mean " + near + "?");
}

bool is_driver_path(const Path& path) {
  return path.size() == 3 && path[0] == "driver" && is_driver_id(path[1]) && is_driver_id(path[2]);
}

}  // namespace

Assignments from_environment(const std::map<std::string, std::string>& environment) {
  Assignments assignments;
  for (const auto& [variable, words] : environment) {
    if (!variable.starts_with(prefix) || is_of_a_program(variable)) continue;
    const Path path = split(lower(variable.substr(prefix.size())), separator);
    const bool is_upper = variable == upper(variable);
    if (is_upper && (key_at(path) != nullptr || is_driver_path(path)))
      add(assignments, path, words, "environment " + variable);
    else
      assignments.problems.push_back(unknown_variable(variable));
  }
  return assignments;
}

Assignments from_overrides(const std::vector<std::string>& overrides) {
  Assignments assignments;
  for (const auto& override_text : overrides) {
    const auto equals = override_text.find('=');
    const Path path = split(trimmed(override_text.substr(0, equals)), ".");
    if (equals == std::string::npos || !std::all_of(path.begin(), path.end(), is_driver_id)) {
      assignments.problems.push_back("--set " + override_text +
                                     ": expected <key>=<value> or <section>.<key>=<value>, such as log.level=debug");
      continue;
    }
    add(assignments, path, trimmed(override_text.substr(equals + 1)), "--set");
  }
  return assignments;
}

}  // namespace gantry::config
