// SPDX-License-Identifier: Apache-2.0
#include "core/cli/commands/nova_answers.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

#include "core/cli/terminal/output.hpp"
#include "core/encoding/printable.hpp"

namespace gantry::cli {

namespace {

bool is_list_of_objects(const json::value& value) {
  if (!value.is_array() || value.get_array().empty()) return false;
  const auto& list = value.get_array();
  return std::all_of(list.begin(), list.end(), [](const json::value& item) { return item.is_object(); });
}

bool is_section(const json::value& value) {
  return value.is_object() || is_list_of_objects(value);
}

std::string in_words(std::string_view key) {
  std::string words(key);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string in_capitals(std::string_view key) {
  std::string words = in_words(key);
  std::transform(words.begin(), words.end(), words.begin(), [](char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  });
  return words;
}

// A column for each member that an object of the list has, in the order of their first appearance.
TextTable table_of_list(const json::array& list) {
  std::vector<std::string> keys;
  for (const auto& item : list)
    for (const auto& member : item.get_object())
      if (std::find(keys.begin(), keys.end(), member.key()) == keys.end()) keys.emplace_back(member.key());
  std::vector<std::string> headers;
  headers.reserve(keys.size());
  for (const auto& key : keys) headers.push_back(in_capitals(key));
  TextTable table(std::move(headers));
  for (const auto& item : list) {
    std::vector<std::string> cells;
    cells.reserve(keys.size());
    for (const auto& key : keys) cells.push_back(cell_text(json::find(item.get_object(), key)));
    table.add(std::move(cells));
  }
  return table;
}

TextTable table_of_members(const json::object& object) {
  TextTable table({"FIELD", "VALUE"});
  for (const auto& [key, value] : object)
    if (!is_section(value)) table.add({in_words(key), cell_text(&value)});
  return table;
}

void print_part(Session& session, const std::string& title, const TextTable& table) {
  if (table.empty()) return;
  if (session.format() == OutputFormat::value) return table.print_values(session.out());
  if (!title.empty()) session.out() << '\n' << printable(title) << '\n';
  table.print(session.out(), session.colour());
}

void print_members(Session& session, const std::string& title, const json::object& object) {
  print_part(session, title, table_of_members(object));
  for (const auto& [key, value] : object) {
    const auto name = title.empty() ? in_words(key) : title + ", " + in_words(key);
    if (value.is_object())
      print_members(session, name, value.get_object());
    else if (is_list_of_objects(value))
      print_part(session, name, table_of_list(value.get_array()));
  }
}

const json::array& list_in(const json::object& object, std::string_view key) {
  static const json::array none;
  const auto* found = json::find_array(object, key);
  return found == nullptr ? none : *found;
}

// "c1", "c1/node7". Empty: no host.
std::string host_text(const json::object& place) {
  const auto text = [&place](const char* key) { return std::string(json::find_string(place, key).value_or("")); };
  const auto node = text("node");
  return node.empty() || node == text("host") ? text("host") : text("host") + "/" + node;
}

// Where the instance goes, of all that the request asked for.
std::string destination_text(const json::object& decision, std::string_view instance) {
  for (const auto& each : list_in(decision, "destinations")) {
    if (each.is_object() && json::find_string(each.get_object(), "instance_uuid") == instance)
      return host_text(each.get_object());
  }
  return "none";
}

std::string candidates_text(const json::object& candidates) {
  const bool is_reused = json::find_bool(candidates, "reused").value_or(false);
  return cell_text(json::find(candidates, "seen")) + " providers in the answer, " +
         cell_text(json::find(candidates, "claimable")) + " of them with room for it" +
         (is_reused ? ", from an answer to an equal question" : "");
}

TextTable claims_table(const json::array& claims) {
  TextTable table({"CLAIM ON", "OUTCOME", "INSTANCE", "WHY"});
  for (const auto& claim : claims) {
    if (!claim.is_object()) continue;
    const auto& fields = claim.get_object();
    table.add({host_text(fields), cell_text(json::find(fields, "outcome")),
               cell_text(json::find(fields, "instance_uuid")), cell_text(json::find(fields, "reason"))});
  }
  return table;
}

TextTable head_table(const json::object& decision, const std::string& instance) {
  TextTable table({"FIELD", "VALUE"});
  table.add({"instance", instance});
  for (const auto& [header, member] :
       {std::pair{"decided at", "time"}, std::pair{"request", "request_id"}, std::pair{"project", "project_id"},
        std::pair{"outcome", "outcome"}, std::pair{"reason", "reason"}}) {
    if (const auto* value = json::find(decision, member)) table.add({header, cell_text(value)});
  }
  table.add({"destination", destination_text(decision, instance)});
  table.add({"attempts", cell_text(json::find(decision, "attempts"))});
  if (const auto* candidates = json::find_object(decision, "candidates"))
    table.add({"placement", candidates_text(*candidates)});
  return table;
}

}  // namespace

void print_nova_status(Session& session, const json::object& status) {
  if (session.format() == OutputFormat::json) return print_json(session, status);
  print_members(session, "", status);
}

void print_nova_decision(Session& session, const json::object& decision, const std::string& instance) {
  if (session.format() == OutputFormat::json) return print_json(session, decision);
  print_part(session, "", head_table(decision, instance));
  const bool is_for_people = session.format() == OutputFormat::table;
  for (const auto& table : {steps_table(list_in(decision, "steps")), claims_table(list_in(decision, "claims"))}) {
    if (is_for_people && !table.empty()) session.out() << '\n';
    print_part(session, "", table);
  }
}

}  // namespace gantry::cli
