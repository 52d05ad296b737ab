// SPDX-License-Identifier: Apache-2.0
#include "core/config/sources/toml.hpp"

#include <toml++/toml.h>

#include <exception>
#include <sstream>

namespace gantry::config {

namespace {

std::string origin_of(const toml::source_position& position, std::string_view name) {
  return std::string(name) + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

template <class Value>
Node date_node(const Value& value) {
  std::ostringstream text;
  text << value;
  return {Date{text.str()}};
}

Table convert_table(const toml::table& source, std::string_view name);

Node convert(const toml::node& source, std::string_view name) {
  if (const auto* table = source.as_table()) return {convert_table(*table, name)};
  if (const auto* array = source.as_array()) {
    Array items;
    items.reserve(array->size());
    for (const auto& item : *array) items.push_back(convert(item, name));
    return {std::move(items)};
  }
  if (const auto* value = source.as_boolean()) return {value->get()};
  if (const auto* value = source.as_integer()) return {value->get()};
  if (const auto* value = source.as_floating_point()) return {value->get()};
  if (const auto* value = source.as_string()) return {value->get()};
  if (const auto* value = source.as_date()) return date_node(value->get());
  if (const auto* value = source.as_time()) return date_node(value->get());
  if (const auto* value = source.as_date_time()) return date_node(value->get());
  return {Date{}};
}

Table convert_table(const toml::table& source, std::string_view name) {
  Table table;
  table.members.reserve(source.size());
  for (const auto& [key, node] : source)
    table.members.push_back({std::string(key.str()), convert(node, name), origin_of(key.source().begin, name)});
  return table;
}

}  // namespace

Result<Table> parse_toml(std::string_view text, std::string_view name) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return Error{ErrorCode::invalid_configuration,
                 std::string(name) + ":1:1: expected TOML in UTF-8, found the byte order mark (BOM) of UTF-16", ""};
  if (auto checked = check_toml_depth(text, name); !checked) return std::move(checked).error();
  try {
    return convert_table(toml::parse(text, name), name);
  } catch (const toml::parse_error& error) {
    return Error{ErrorCode::invalid_configuration,
                 origin_of(error.source().begin, name) + ": this is not TOML: " + std::string(error.description()), ""};
  } catch (const std::exception& error) {
    return Error{ErrorCode::invalid_configuration, std::string(name) + ": cannot be read as TOML: " + error.what(), ""};
  }
}

Result<Node> parse_toml_value(std::string_view text) {
  auto table = parse_toml("value = " + std::string(text), "value");
  if (!table) return std::move(table).error();
  if (table->members.size() != 1)
    return Error{ErrorCode::invalid_configuration, "expected one value, found more than one line", ""};
  return std::move(table->members.front().node);
}

}  // namespace gantry::config
