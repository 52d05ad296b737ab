// SPDX-License-Identifier: Apache-2.0
//
// JSON as text that is passed on unchanged: checked, put together and taken apart without a number being rewritten.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace gantry::client_library {

// nullopt: it is not JSON; `why` then says so.
std::optional<boost::json::value> parse_json(std::string_view text, std::string& why);

std::string quote_json(std::string_view text);

// The text of the member's value in an object that parse_json has accepted; empty if it has no such member.
std::string_view member_text(std::string_view object, std::string_view key);

// An object put together from pieces; the first piece that is wrong is kept as the failure.
class JsonObjectText {
 public:
  // nullptr: the member is left out.
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

// What is wrong with `json` where an object is wanted; empty: nothing.
std::string refuse_non_object(std::string_view name, std::string_view json);

}  // namespace gantry::client_library
