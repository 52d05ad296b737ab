// SPDX-License-Identifier: Apache-2.0
#include "core/cli/nova/written.hpp"

#include "core/cli/terminal/text_table.hpp"
#include "core/encoding/printable.hpp"

namespace gantry::cli::nova {

namespace {

struct KeyParts {
  std::string section;  // empty: in front of the first
  std::string name;
};

KeyParts parts_of(const std::string& key) {
  const std::size_t dot = key.rfind('.');
  if (dot == std::string::npos) return {"", key};
  return {key.substr(0, dot), key.substr(dot + 1)};
}

std::string comment_of(const config::nova::Carried& carried) {
  std::string text;
  if (carried.from) text = carried.from->name() + ", " + carried.from->text();
  if (!carried.note.empty()) text += (text.empty() ? "" : "; ") + carried.note;
  return text.empty() ? "" : "# " + printable(text) + "\n";
}

json::value json_of(const config::Node& node) {
  if (const auto* truth = node.get<bool>()) return *truth;
  if (const auto* integer = node.get<std::int64_t>()) return *integer;
  if (const auto* real = node.get<double>()) return *real;
  if (const auto* text = node.get<std::string>()) return json::value(*text);
  json::array items;
  if (const auto* list = node.get<config::Array>())
    for (const config::Node& item : *list) items.push_back(json_of(item));
  return items;
}

json::object json_of(const config::nova::Place& place) {
  return {{"section", place.section}, {"option", place.key}, {"file", place.file}, {"line", place.line}};
}

}  // namespace

std::string line_of(const config::nova::LeftOut& left_out) {
  std::string text = left_out.place.name();
  if (!left_out.value.empty()) text += " = " + left_out.value;
  return printable(text + " (" + left_out.place.text() + "): " + left_out.why);
}

std::string list_of(const std::vector<config::nova::LeftOut>& list, const std::string& title) {
  if (list.empty()) return "";
  std::string text = "\n# " + title + "\n";
  for (const config::nova::LeftOut& one : list) text += "#   " + line_of(one) + "\n";
  return text;
}

json::array json_of(const std::vector<config::nova::LeftOut>& list) {
  json::array items;
  for (const config::nova::LeftOut& one : list) {
    json::object item = json_of(one.place);
    item["value"] = one.value.empty() ? json::value() : json::value(one.value);
    item["why"] = one.why;
    items.push_back(std::move(item));
  }
  return items;
}

std::string written_as_toml(const config::nova::Translation& translation, const std::vector<std::string>& files,
                            const LevelReview& review) {
  std::string text = "# Made by `gantry config import-nova` from:\n";
  for (const std::string& file : files) text += "#   " + printable(file) + "\n";
  text += review.level_as_comments();
  std::string section;
  for (const config::nova::Carried& carried : translation.carried) {
    const KeyParts key = parts_of(carried.key);
    text += '\n';
    if (key.section != section) text += "[" + key.section + "]\n";
    section = key.section;
    text += comment_of(carried) + key.name + " = " + config::to_toml(carried.value) + "\n";
  }
  text += review.defaults_as_comments();
  text += list_of(translation.no_counterpart, "Without a counterpart in Gantry:");
  text += list_of(translation.not_needed, "Not needed in Gantry:");
  if (!translation.for_deployments.empty())
    text += "\n# For Gantry in the place of nova-scheduler alone, where [nova] config_files names the files:\n";
  for (const config::nova::Place& place : translation.for_deployments)
    text += "#   " + printable(place.name() + " (" + place.text() + ")") + "\n";
  return text;
}

json::object written_as_json(const config::nova::Translation& translation, const LevelReview& review) {
  json::array carried;
  for (const config::nova::Carried& one : translation.carried)
    carried.push_back(json::object{{"key", one.key},
                                   {"value", json_of(one.value)},
                                   {"from", one.from ? json::value(json_of(*one.from)) : json::value()},
                                   {"note", one.note}});
  json::array for_deployments;
  for (const config::nova::Place& place : translation.for_deployments) for_deployments.push_back(json_of(place));
  json::object document{{"carried", std::move(carried)},
                        {"no_counterpart", json_of(translation.no_counterpart)},
                        {"not_needed", json_of(translation.not_needed)},
                        {"for_deployments", std::move(for_deployments)},
                        {"passed_over", translation.passed_over}};
  review.add_to(document);
  return document;
}

}  // namespace gantry::cli::nova
