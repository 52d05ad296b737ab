// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/key_values.hpp"

#include <utility>

namespace gantry::cli {

namespace {

Result<std::pair<std::string, std::string>> split(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0)
    return Error{ErrorCode::invalid_argument, "found \"" + word + "\", expected key=value, such as size=10", ""};
  return std::pair{word.substr(0, equals), word.substr(equals + 1)};
}

json::value value_of(const std::string& word) {
  auto parsed = json::parse(word);
  return parsed ? *parsed : json::value(word);
}

Result<void> put(json::object& into, std::string_view key, const json::value& value, const std::string& word) {
  const std::size_t dot = key.find('.');
  const std::string_view first = key.substr(0, dot);
  if (first.empty() || (dot != std::string_view::npos && dot + 1 == key.size()))
    return Error{ErrorCode::invalid_argument, "\"" + word + "\": a part of the key is empty", ""};
  if (dot == std::string_view::npos) {
    if (into.contains(first))
      return Error{ErrorCode::invalid_argument, "\"" + word + "\": " + std::string(first) + " is given already", ""};
    into[first] = value;
    return {};
  }
  json::value& inner = into[first];
  if (inner.is_null()) inner = json::object();
  if (!inner.is_object())
    return Error{ErrorCode::invalid_argument, "\"" + word + "\": " + std::string(first) + " has a value already", ""};
  return put(inner.get_object(), key.substr(dot + 1), value, word);
}

}  // namespace

Result<json::object> nested_from_words(const std::vector<std::string>& words) {
  json::object object;
  for (const std::string& word : words) {
    auto pair = split(word);
    if (!pair) return std::move(pair).error();
    if (auto done = put(object, pair->first, value_of(pair->second), word); !done) return std::move(done).error();
  }
  return object;
}

Result<json::object> texts_from_words(const std::vector<std::string>& words, bool lists) {
  json::object object;
  for (const std::string& word : words) {
    auto pair = split(word);
    if (!pair) return std::move(pair).error();
    json::value& value = object[pair->first];
    if (value.is_null() || !lists)
      value = pair->second;
    else if (value.is_array())
      value.get_array().emplace_back(pair->second);
    else
      value = json::array{value, json::value(pair->second)};
  }
  return object;
}

}  // namespace gantry::cli
