// SPDX-License-Identifier: Apache-2.0
#include "json_text.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace gantry::client_library {

namespace {

// The end of the value or string that begins at `at`; the text is known to be JSON.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  int depth = 0;
  bool in_string = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') {
        ++at;
      } else if (c == '"') {
        in_string = false;
        if (depth == 0) return at + 1;
      }
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}' || c == ']' || c == ':')) return at;
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at + 1;
  }
  return at;
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos) ++at;
  return at;
}

}  // namespace

std::optional<boost::json::value> parse_json(std::string_view text, std::string& why) {
  boost::json::parse_options options;
  options.max_depth = 70;  // the daemon's 64 and what is put around
  boost::system::error_code error;
  auto value = boost::json::parse(boost::json::string_view(text.data(), text.size()), error, {}, options);
  if (!error) return value;
  why = error.message();
  return std::nullopt;
}

std::string quote_json(std::string_view text) {
  return boost::json::serialize(boost::json::string_view(text.data(), text.size()));
}

std::string_view member_text(std::string_view object, std::string_view key) {
  const std::string wanted = quote_json(key);
  std::size_t at = skip_space(object, 0) + 1;
  while (at < object.size()) {
    at = skip_space(object, at);
    if (at >= object.size() || object[at] != '"') break;
    const std::size_t key_end = end_of_value(object, at);
    const bool found = object.substr(at, key_end - at) == wanted;
    at = skip_space(object, skip_space(object, key_end) + 1);
    std::size_t value_end = end_of_value(object, at);
    const std::size_t next = skip_space(object, value_end) + 1;
    while (value_end > at && std::string_view(" \t\r\n").find(object[value_end - 1]) != std::string_view::npos) {
      --value_end;
    }
    if (found) return object.substr(at, value_end - at);
    at = next;
  }
  return {};
}

std::string refuse_non_object(std::string_view name, std::string_view json) {
  std::string why;
  const auto value = parse_json(json, why);
  if (value && value->is_object()) return {};
  if (value) why = "another kind of value";
  return std::string(name) + ": expected a JSON object, found " + (value ? why : "text that is no JSON (" + why + ")");
}

void JsonObjectText::add_raw(std::string_view key, std::string_view json) {
  if (text_.size() > 1) text_ += ',';
  text_.append(quote_json(key)).append(":").append(json);
}

void JsonObjectText::add_text(std::string_view key, const char* value) {
  if (value != nullptr) add_raw(key, quote_json(value));
}

void JsonObjectText::add_integer(std::string_view key, long value) {
  add_raw(key, std::to_string(value));
}

void JsonObjectText::add_object(std::string_view key, const char* json) {
  if (json == nullptr) return;
  if (failure_.empty()) failure_ = refuse_non_object(key, json);
  add_raw(key, json);
}

}  // namespace gantry::client_library
