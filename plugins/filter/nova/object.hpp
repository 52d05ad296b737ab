// SPDX-License-Identifier: Apache-2.0
//
// Nova's objects in JSON, in two forms. Nova stores and sends versioned objects ({"nova_object.name": ...,
// "nova_object.data": {...}}). Recorded decisions use the plain form: the fields are beside "_object", and a set is
// {"_set": [...]}. An absent field is unset, which differs from null.
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

// Returns the error "<what> is not <expected>", for an input that cannot be read.
inline raised unreadable(std::string_view what, std::string_view expected) {
  return {{}, std::string(what) + " is not " + std::string(expected)};
}

// Returns the fields of an object in either form. nullptr if the value is not an object.
inline const boost::json::object* nova_fields(const boost::json::value& value) {
  const boost::json::object* object = value.if_object();
  if (object == nullptr) return nullptr;
  const boost::json::value* data = object->if_contains("nova_object.data");
  return data == nullptr ? object : data->if_object();
}

// Returns the elements of a list or a set in either form. nullptr if the value is neither.
inline const boost::json::array* nova_elements(const boost::json::value& value) {
  if (const boost::json::array* elements = value.if_array()) return elements;
  const boost::json::object* object = value.if_object();
  const boost::json::value* set = object == nullptr ? nullptr : object->if_contains("_set");
  return set == nullptr ? nullptr : set->if_array();
}

// Returns a field. nullptr if the field is unset or null.
inline const boost::json::value* nova_field(const boost::json::object& fields, std::string_view name) {
  const boost::json::value* value = fields.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

// Returns the fields of a field that is itself an object. nullptr if the field is unset, null or another type.
inline const boost::json::object* nova_object_field(const boost::json::object& fields, std::string_view name) {
  const boost::json::value* value = nova_field(fields, name);
  return value == nullptr ? nullptr : nova_fields(*value);
}

// Returns a field that is a text. nullopt if the field is unset, null or another type.
inline std::optional<std::string> nova_text(const boost::json::object& fields, std::string_view name) {
  const boost::json::value* value = nova_field(fields, name);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string(value->get_string());
}

// Returns the elements of a list or a set in either form that are texts. Returns no texts for any other value or for
// nullptr.
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

// Returns a JSON integer. nullopt if the value is anything else, such as 3.0, or does not fit in std::int64_t.
inline std::optional<std::int64_t> nova_integer(const boost::json::value& value) {
  boost::system::error_code error;
  if (!value.is_int64() && !value.is_uint64()) return std::nullopt;
  const auto number = value.to_number<std::int64_t>(error);
  return error ? std::nullopt : std::optional(number);
}

// Returns a versioned object with these fields, in the form that Nova reads. `name` is Nova's class, such as
// "NUMACell".
inline boost::json::value nova_object(std::string_view name, std::string_view version, boost::json::object fields) {
  boost::json::object object;
  object["nova_object.name"] = name;
  object["nova_object.namespace"] = "nova";
  object["nova_object.version"] = version;
  object["nova_object.data"] = std::move(fields);
  return object;
}

}  // namespace filter_driver
