// SPDX-License-Identifier: Apache-2.0
#include "core/cli/commands/nova_answers.hpp"

#include <algorithm>
#include <ostream>

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

// A list of picks with their alternates, or of names.
std::string destinations_text(const json::object& decision) {
  std::string text;
  for (const auto& destination : list_in(decision, "destinations"))
    text += (text.empty() ? "" : ", ") + cell_text(&destination);
  return text.empty() ? "none" : text;
}

void print_nova_steps(Session& session, const json::array& steps) {
  TextTable table({"STEP", "HOSTS IN", "HOSTS OUT", "WHY"});
  for (const auto& step : steps) {
    if (!step.is_object()) continue;
    const auto& fields = step.get_object();
    table.add({cell_text(json::find(fields, "name")), cell_text(json::find(fields, "in")),
               cell_text(json::find(fields, "out")), cell_text(json::find(fields, "reason"))});
  }
  print_part(session, "", table);
}

void print_nova_claims(Session& session, const json::array& claims) {
  TextTable table({"CLAIM ON", "OUTCOME", "WHY"});
  for (const auto& claim : claims) {
    if (!claim.is_object()) continue;
    const auto& fields = claim.get_object();
    table.add({cell_text(json::find(fields, "host")), cell_text(json::find(fields, "outcome")),
               cell_text(json::find(fields, "reason"))});
  }
  print_part(session, "", table);
}

void print_nova_head(Session& session, const json::object& decision) {
  const auto text = [&decision](const char* key) { return cell_text(json::find(decision, key)); };
  TextTable table({"FIELD", "VALUE"});
  table.add({"instance", text("instance_uuid")});
  table.add({"decided at", text("time")});
  table.add({"request", text("request_id")});
  table.add({"project", text("project_id")});
  table.add({"outcome", text("outcome")});
  if (json::find(decision, "reason") != nullptr) table.add({"reason", text("reason")});
  table.add({"destinations", destinations_text(decision)});
  if (json::find(decision, "attempts") != nullptr) table.add({"attempts", text("attempts")});
  if (json::find(decision, "facts_age_ms") != nullptr)
    table.add({"facts read", text("facts_age_ms") + " ms before the decision"});
  if (const auto* candidates = json::find_object(decision, "candidates")) {
    const bool is_reused = json::find_bool(*candidates, "reused").value_or(false);
    table.add({"placement", cell_text(json::find(*candidates, "seen")) + " providers in the answer, " +
                                cell_text(json::find(*candidates, "claimable")) + " of them with room for it" +
                                (is_reused ? ", from an answer to an equal question" : "")});
  }
  print_part(session, "", table);
}

}  // namespace

void print_nova_status(Session& session, const json::object& status) {
  if (session.format() == OutputFormat::json) return print_json(session, status);
  print_members(session, "", status);
}

void print_nova_decision(Session& session, const json::object& decision) {
  if (session.format() == OutputFormat::json) return print_json(session, decision);
  print_nova_head(session, decision);
  const bool is_for_people = session.format() == OutputFormat::table;
  const auto print_list_of = [&](std::string_view key, void (*print)(Session&, const json::array&)) {
    const auto& list = list_in(decision, key);
    if (list.empty()) return;
    if (is_for_people) session.out() << '\n';
    print(session, list);
  };
  print_list_of("steps", print_nova_steps);
  print_list_of("claims", print_nova_claims);
}

}  // namespace gantry::cli
