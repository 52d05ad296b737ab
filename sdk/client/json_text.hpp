// SPDX-License-Identifier: Apache-2.0
//
// Checks, builds and takes apart JSON as text, so that numbers are passed on unchanged.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace gantry::client_library {

// Returns nullopt and sets `why` if the text is not JSON.
std::optional<boost::json::value> parse_json(std::string_view text, std::string& why);

std::string quote_json(std::string_view text);

// Returns the text of a member's value in an object that parse_json has accepted. Empty if the member does not exist.
std::string_view member_text(std::string_view object, std::string_view key);

// Builds an object from pieces. failure() is the error of the first invalid piece.
class JsonObjectText {
 public:
  // add_text and add_object leave the member out if the value is nullptr.
  void add_text(std::string_view key, const char* value);
  void add_object(std::string_view key, const char* json);
  void add_integer(std::string_view key, long value);
  void add_raw(std::string_view key, std::string_view json);

  std::string text() const { return text_ + "}"; }
  const std::string& failure() const { return failure_; }

 private:
  std::string text_ = "{";
  std::string failure_;
};

// Returns the error if `json` is not a JSON object. Empty if it is one.
std::string refuse_non_object(std::string_view name, std::string_view json);

}  // namespace gantry::client_library
