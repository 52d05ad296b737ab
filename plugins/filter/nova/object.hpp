// SPDX-License-Identifier: Apache-2.0
//
// Nova's objects in JSON, in the two forms in which they are met: versioned objects as Nova stores and sends them
// ({"nova_object.name": ..., "nova_object.data": {...}}), and the plain form of recorded decisions, in which the
// fields stand beside "_object" and a set is {"_set": [...]}. A field that is absent is unset, which is not null.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/outcome.hpp"

namespace filter_driver {

inline raised unreadable(std::string_view what, std::string_view expected) {
  return {{}, std::string(what) + " is not " + std::string(expected)};
}

// The fields of an object in either form; null: the value is no object.
inline const boost::json::object* nova_fields(const boost::json::value& value) {
  const boost::json::object* object = value.if_object();
  if (object == nullptr) return nullptr;
  const boost::json::value* data = object->if_contains("nova_object.data");
  return data == nullptr ? object : data->if_object();
}

// The elements of a list or a set in either form; null: the value is neither.
inline const boost::json::array* nova_elements(const boost::json::value& value) {
  if (const boost::json::array* elements = value.if_array()) return elements;
  const boost::json::object* object = value.if_object();
  const boost::json::value* set = object == nullptr ? nullptr : object->if_contains("_set");
  return set == nullptr ? nullptr : set->if_array();
}

// A field that is set and not null; null otherwise.
inline const boost::json::value* nova_field(const boost::json::object& fields, std::string_view name) {
  const boost::json::value* value = fields.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

// A field that is an object, as its fields; null: it is not set, null, or something else.
inline const boost::json::object* nova_object_field(const boost::json::object& fields, std::string_view name) {
  const boost::json::value* value = nova_field(fields, name);
  return value == nullptr ? nullptr : nova_fields(*value);
}

// A field that is a text; none: it is not set, null, or something else.
inline std::optional<std::string> nova_text(const boost::json::object& fields, std::string_view name) {
  const boost::json::value* value = nova_field(fields, name);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string(value->get_string());
}

// The texts among the elements of a list or a set in either form; none of what is neither.
inline std::vector<std::string> nova_texts(const boost::json::value* value) {
  std::vector<std::string> all;
  const boost::json::array* elements = value == nullptr ? nullptr : nova_elements(*value);
  if (elements == nullptr) return all;
  all.reserve(elements->size());
  for (const boost::json::value& each : *elements) {
    if (each.is_string()) all.emplace_back(each.get_string());
  }
  return all;
}

// A whole number; none: the value is no such number or does not fit.
inline std::optional<std::int64_t> nova_integer(const boost::json::value& value) {
  boost::system::error_code error;
  if (!value.is_int64() && !value.is_uint64()) return std::nullopt;
  const auto number = value.to_number<std::int64_t>(error);
  return error ? std::nullopt : std::optional(number);
}

// A versioned object around its fields, as Nova reads it.
inline boost::json::value nova_object(std::string_view name, std::string_view version, boost::json::object fields) {
  boost::json::object object;
  object["nova_object.name"] = name;
  object["nova_object.namespace"] = "nova";
  object["nova_object.version"] = version;
  object["nova_object.data"] = std::move(fields);
  return object;
}

}  // namespace filter_driver
