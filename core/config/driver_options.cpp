// SPDX-License-Identifier: Apache-2.0
#include "core/config/driver_options.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/config/keys.hpp"

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

// A file in driver_directories, by its name alone.
bool is_library_name(std::string_view name) {
  constexpr std::string_view suffix = ".so";
  return name.size() > suffix.size() && name.ends_with(suffix) && name.find('/') == std::string_view::npos;
}

Result<void> put_file(DriverSettings& driver, const Node& node) {
  const auto* name = node.get<std::string>();
  if (name == nullptr || !is_library_name(*name))
    return unlike("a file name such as \"filter.so\", without a directory", describe(node));
  driver.file = *name;
  return {};
}

Result<void> put_libraries(DriverSettings& driver, const Member& member) {
  const std::string expected = "a list of file names such as \"site_filters.so\", each once";
  const auto* items = member.node.get<Array>();
  if (items == nullptr) return unlike(expected, describe(member.node));
  std::vector<std::string> names;
  names.reserve(items->size());
  for (const auto& item : *items) {
    const auto* name = item.get<std::string>();
    if (name == nullptr || !is_library_name(*name)) return unlike(expected, describe(item) + " in it");
    if (std::find(names.begin(), names.end(), *name) != names.end()) return unlike(expected, "\"" + *name + "\" twice");
    names.push_back(*name);
  }
  driver.libraries = std::move(names);
  driver.libraries_origin = member.origin;
  return {};
}

// In the order of Isolation.
constexpr std::array<std::string_view, 3> isolations{"none", "process", "debug"};

Result<void> put_isolation(DriverSettings& driver, const Node& node) {
  const auto* text = node.get<std::string>();
  const auto found = text == nullptr ? isolations.end() : std::ranges::find(isolations, *text);
  if (found == isolations.end()) return unlike("\"none\", \"process\" or \"debug\"", describe(node));
  driver.isolation = static_cast<Isolation>(found - isolations.begin());
  return {};
}

Result<void> put_fallback(DriverSettings& driver, const Node& node) {
  const auto* text = node.get<std::string>();
  if (text == nullptr || (!text->empty() && !is_driver_id(*text)))
    return unlike("the id of a driver (letters, digits, _ and -)", describe(node));
  driver.fallback = *text;
  return {};
}

Result<void> put_memory_limit(DriverSettings& driver, const Node& node) {
  constexpr std::int64_t mebibyte = std::int64_t{1} << 20;
  // Less is not enough for the libraries of a driver.
  constexpr std::int64_t least = 64;
  constexpr std::int64_t most = 1 << 20;
  const auto* number = node.get<std::int64_t>();
  if (number == nullptr || (*number != 0 && *number < least) || *number > most)
    return unlike("a number of MiB, 64 to 1048576, or 0 for no limit", describe(node));
  driver.memory_limit = static_cast<std::uint64_t>(*number * mebibyte);
  return {};
}

Result<void> put_cpu_limit(DriverSettings& driver, const Node& node) {
  constexpr std::int64_t most = 100'000;
  const auto* number = node.get<std::int64_t>();
  if (number == nullptr || *number < 0 || *number > most)
    return unlike("a percentage of one processor, 0 to 100000", describe(node));
  driver.cpu_limit = static_cast<std::uint32_t>(*number);
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
  if (member.key == "file") return put_file(driver, member.node);
  if (member.key == "required") return put_required(driver, member.node);
  if (member.key == "sha256") return put_sha256(driver, member.node);
  if (member.key == "libraries") return put_libraries(driver, member);
  if (member.key == "isolation") return put_isolation(driver, member.node);
  if (member.key == "fallback") return put_fallback(driver, member.node);
  if (member.key == "memory_limit") return put_memory_limit(driver, member.node);
  if (member.key == "cpu_limit") return put_cpu_limit(driver, member.node);
  auto value = option_from(member.node);
  if (!value) return std::move(value).error();
  driver.options[member.key] = {*std::move(value), member.origin};
  return {};
}

Result<void> put_offer_section(DriverSettings& driver, const Member& member) {
  const auto* section = member.node.get<Table>();
  if (section == nullptr) return unlike("a section of the offer's options", describe(member.node));
  auto& offer = driver.offers[member.key];
  if (offer.origin.empty()) offer.origin = member.origin;
  for (const auto& inner : section->members) {
    auto value = option_from(inner.node);
    if (!value) return std::move(value).error().within(key_to_toml(inner.key));
    offer.options[inner.key] = {*std::move(value), inner.origin};
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> driver_values(const DriverSettings& driver) {
  std::vector<std::pair<std::string, std::string>> values{
      {"path", to_toml(std::string_view(driver.path))},
      {"file", to_toml(std::string_view(driver.file))},
      {"required", driver.required ? "true" : "false"},
      {"sha256", to_toml(std::string_view(driver.sha256))},
      {"libraries", to_toml(node_from(driver.libraries))},
      {"fallback", to_toml(std::string_view(driver.fallback))},
      {"memory_limit", std::to_string(driver.memory_limit >> 20)},
      {"cpu_limit", std::to_string(driver.cpu_limit)},
  };
  if (driver.isolation)
    values.emplace_back("isolation", to_toml(isolations.at(static_cast<std::size_t>(*driver.isolation))));
  for (const auto& [key, option] : driver.options) values.emplace_back(key_to_toml(key), option_text(option.value));
  for (const auto& [offer, section] : driver.offers) {
    const std::string section_name = "options." + key_to_toml(offer) + ".";
    for (const auto& [key, option] : section.options)
      values.emplace_back(section_name + key_to_toml(key), option_text(option.value));
  }
  return values;
}

}  // namespace gantry::config
