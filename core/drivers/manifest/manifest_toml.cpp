// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/manifest/manifest_toml.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/config/settings.hpp"
#include "core/drivers/manifest/manifest_rules.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::drivers {
namespace {

// A text of the manifest in a message: one line, and not all of a long one.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 200;
  std::size_t size = std::min(text.size(), longest);
  while (size < text.size() && size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U) --size;
  std::string cut(text.substr(0, size));
  std::replace_if(cut.begin(), cut.end(), is_control_character, '?');
  if (size < text.size()) cut.append("... (").append(std::to_string(text.size())).append(" bytes)");
  return cut;
}

std::string line_of(const toml::node& node) {
  return "manifest line " + std::to_string(node.source().begin.line);
}

std::string describe_node(const toml::node& node) {
  if (const auto* text = node.as_string()) return "string '" + text->get() + "'";
  if (const auto* integer = node.as_integer()) return "integer " + std::to_string(integer->get());
  if (const auto* boolean = node.as_boolean()) return boolean->get() ? "boolean true" : "boolean false";
  if (node.is_floating_point()) return "a real";
  if (node.is_array()) return "a list";
  if (node.is_table()) return "a table";
  return "a date or time";
}

std::optional<std::vector<std::string>> to_strings(const toml::node& node) {
  const auto* list = node.as_array();
  if (list == nullptr) return std::nullopt;
  std::vector<std::string> strings;
  for (const toml::node& item : *list) {
    const auto* text = item.as_string();
    if (text == nullptr) return std::nullopt;
    strings.push_back(text->get());
  }
  return strings;
}

std::optional<config::OptionValue> to_value(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* boolean = node.as_boolean()) return boolean->get();
  if (auto strings = to_strings(node)) return std::move(*strings);
  const auto* table = node.as_table();
  if (table == nullptr) return std::nullopt;
  std::map<std::string, std::string> strings;
  for (const auto& [key, item] : *table) {
    const auto* text = item.as_string();
    if (text == nullptr) return std::nullopt;
    strings.emplace(std::string(key.str()), text->get());
  }
  return strings;
}

}  // namespace

Error ManifestTable::wrong(std::string_view key, std::string_view expected, std::string_view found,
                           std::string_view advice) const {
  const toml::node* node = table_.get(key);
  std::string message = line_of(node != nullptr ? *node : static_cast<const toml::node&>(table_));
  message.append(": key '").append(shown(full_name(key))).append("': expected ").append(expected);
  message.append(", found ").append(shown(found));
  if (!advice.empty()) message.append("; ").append(advice);
  return Error{ErrorCode::invalid_configuration, std::move(message), {}};
}

Error ManifestTable::missing(std::string_view key, std::string_view expected) const {
  return Error{
      ErrorCode::invalid_configuration,
      "manifest: key '" + full_name(key) + "': expected " + std::string(expected) + ", found no such key; add it",
      {}};
}

Result<void> ManifestTable::check_keys(const std::vector<std::string>& known) const {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string all;
    for (const std::string& one : known) all.append(all.empty() ? "one of " : ", ").append(one);
    const std::string near = nearest(name, known);
    return wrong(name, all, "an unknown key", near.empty() ? "" : "did you mean '" + near + "'?");
  }
  return {};
}

Result<void> ManifestTable::read(std::string_view key, bool required, std::string& out) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return required ? Result<void>(missing(key, "a string")) : Result<void>();
  if (!node->is_string()) return wrong(key, "a string", describe_node(*node));
  out = node->as_string()->get();
  if (required && out.empty()) return wrong(key, "a string that is not empty", "''");
  return {};
}

Result<void> ManifestTable::read(std::string_view key, bool required, std::int64_t& out) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return required ? Result<void>(missing(key, "an integer")) : Result<void>();
  if (!node->is_integer()) return wrong(key, "an integer", describe_node(*node));
  out = node->as_integer()->get();
  return {};
}

Result<void> ManifestTable::read(std::string_view key, bool required, bool& out) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return required ? Result<void>(missing(key, "a boolean")) : Result<void>();
  if (!node->is_boolean()) return wrong(key, "a boolean", describe_node(*node));
  out = node->as_boolean()->get();
  return {};
}

Result<void> ManifestTable::read(std::string_view key, std::optional<double>& out) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return {};
  out = node->value<double>();
  if (!node->is_number() || !out || !std::isfinite(*out)) return wrong(key, "a finite number", describe_node(*node));
  return {};
}

Result<void> ManifestTable::read(std::string_view key, bool required, std::vector<std::string>& out) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return required ? Result<void>(missing(key, "a list of strings")) : Result<void>();
  auto strings = to_strings(*node);
  if (!strings) return wrong(key, "a list of strings", describe_node(*node));
  if (required && strings->empty()) return wrong(key, "a list with at least one string", "an empty list");
  out = std::move(*strings);
  return {};
}

Result<void> ManifestTable::read(std::string_view key, std::optional<config::OptionValue>& out) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return {};
  out = to_value(*node);
  if (!out) return wrong(key, "a boolean, number, string, list of strings or table of strings", describe_node(*node));
  return {};
}

Result<const toml::table*> ManifestTable::table(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return static_cast<const toml::table*>(nullptr);
  if (!node->is_table()) return wrong(key, "a table", describe_node(*node));
  return node->as_table();
}

Result<void> read_threads(const ManifestTable& table, Threads& out) {
  std::string threads;
  if (Result<void> read = table.read("threads", true, threads); !read) return read;
  if (threads != "serial" && threads != "reentrant") {
    return table.wrong("threads", "'serial' or 'reentrant'", "'" + threads + "'");
  }
  out = threads == "serial" ? Threads::serial : Threads::reentrant;
  return {};
}

Result<void> read_decides_from(const ManifestTable& table, DecidesFrom& out) {
  std::string from(name_of(out));
  if (Result<void> read = table.read("decides_from", false, from); !read) return read;
  if (from != "input" && from != "history") {
    return table.wrong("decides_from", "'input' or 'history'", "'" + from + "'");
  }
  out = from == "input" ? DecidesFrom::input : DecidesFrom::history;
  return {};
}

}  // namespace gantry::drivers
