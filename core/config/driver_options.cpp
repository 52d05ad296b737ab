// SPDX-License-Identifier: Apache-2.0
#include "core/config/driver_options.hpp"

#include <algorithm>
#include <cmath>

namespace gantry::config {

namespace {

Error unlike(const std::string& expected, const std::string& found) {
  return {ErrorCode::invalid_configuration, "expected " + expected + ", found " + found, ""};
}

Result<OptionValue> texts_from(const Array& items) {
  std::vector<std::string> texts;
  for (const auto& item : items) {
    const auto* text = item.get<std::string>();
    if (text == nullptr) return unlike("a list of texts", describe(item) + " in it");
    texts.push_back(*text);
  }
  return OptionValue(std::move(texts));
}

Result<OptionValue> table_from(const Table& table) {
  std::map<std::string, std::string> texts;
  for (const auto& member : table.members) {
    const auto* text = member.node.get<std::string>();
    if (text == nullptr)
      return unlike("a table whose values are texts", describe(member.node) + " for " + key_to_toml(member.key));
    texts.emplace(member.key, *text);
  }
  return OptionValue(std::move(texts));
}

Result<void> put_path(DriverSettings& driver, const Node& node) {
  const auto* path = node.get<std::string>();
  if (path == nullptr || !path->starts_with('/')) return unlike("an absolute path in quotes", describe(node));
  driver.path = *path;
  return {};
}

Result<void> put_required(DriverSettings& driver, const Node& node) {
  const auto* required = node.get<bool>();
  if (required == nullptr) return unlike("true or false", describe(node));
  driver.required = *required;
  return {};
}

Result<void> put_sha256(DriverSettings& driver, const Node& node) {
  const auto is_digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  const auto* digits = node.get<std::string>();
  if (digits == nullptr || digits->size() != 64 || !std::all_of(digits->begin(), digits->end(), is_digit))
    return unlike("64 hexadecimal digits in quotes, as sha256sum prints them", describe(node));
  driver.sha256 = *digits;
  for (char& c : driver.sha256)
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  return {};
}

Node node_from(const std::vector<std::string>& texts) {
  Array items;
  for (const auto& text : texts) items.push_back({text});
  return {std::move(items)};
}

Node node_from(const std::map<std::string, std::string>& texts) {
  Table table;
  for (const auto& [key, text] : texts) table.members.push_back({key, {text}, ""});
  return {std::move(table)};
}

template <class Scalar>
Node node_from(const Scalar& scalar) {
  return {scalar};
}

}  // namespace

Result<OptionValue> option_from(const Node& node) {
  if (const auto* value = node.get<bool>()) return OptionValue(*value);
  if (const auto* value = node.get<std::int64_t>()) return OptionValue(*value);
  if (const auto* value = node.get<double>(); value != nullptr && std::isfinite(*value)) return OptionValue(*value);
  if (const auto* value = node.get<std::string>()) return OptionValue(*value);
  if (const auto* items = node.get<Array>()) return texts_from(*items);
  if (const auto* table = node.get<Table>()) return table_from(*table);
  return unlike("true or false, a number, a text, a list of texts or a table of texts", describe(node));
}

std::string option_text(const OptionValue& value) {
  return std::visit([](const auto& held) { return to_toml(node_from(held)); }, value);
}

Result<void> put_driver_key(DriverSettings& driver, const Member& member) {
  if (member.key == "path") return put_path(driver, member.node);
  if (member.key == "required") return put_required(driver, member.node);
  if (member.key == "sha256") return put_sha256(driver, member.node);
  auto value = option_from(member.node);
  if (!value) return std::move(value).error();
  driver.options[member.key] = {*std::move(value), member.origin};
  return {};
}

std::vector<std::pair<std::string, std::string>> driver_values(const DriverSettings& driver) {
  std::vector<std::pair<std::string, std::string>> values{
      {"path", to_toml(std::string_view(driver.path))},
      {"required", driver.required ? "true" : "false"},
      {"sha256", to_toml(std::string_view(driver.sha256))},
  };
  for (const auto& [key, option] : driver.options) values.emplace_back(key, option_text(option.value));
  return values;
}

}  // namespace gantry::config
