// SPDX-License-Identifier: Apache-2.0
//
// Typed access to the arguments of a method. An error names the argument, the expected type and the found type. A text
// such as "5" or "true" is accepted in place of a number or truth value, because the query of a GET holds only texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::scheduling {

// If the argument is absent or null, optional_... returns `otherwise` or an empty value, and required_... fails.
// required_text also fails for an empty text, optional_integer for a number outside `least` to `most`.
Result<std::string> required_text(const json::object& args, std::string_view name);
Result<std::optional<std::string>> optional_text(const json::object& args, std::string_view name);
Result<bool> optional_bool(const json::object& args, std::string_view name, bool otherwise);
Result<std::int64_t> optional_integer(const json::object& args, std::string_view name, std::int64_t otherwise,
                                      std::int64_t least, std::int64_t most);
Result<json::object> optional_object(const json::object& args, std::string_view name);
Result<json::object> required_object(const json::object& args, std::string_view name);
Result<std::vector<std::string>> optional_texts(const json::object& args, std::string_view name);

// A host's name. As an argument it is a text, or a pair [host, node].
struct HostName {
  std::string host;
  std::string node;  // empty: the argument names no node
};
Result<HostName> required_host_name(const json::object& args, std::string_view name);

// Returns the value as JSON for a message: "eight", -5. A long or nested value becomes the name of its type.
std::string value_text(const json::value& value);

// Checks the fields of a host's report that Gantry reads. The error names each field with a wrong value, the expected
// type and the value found.
Result<void> check_report(const json::object& stats);

// Returns the error "argument 'topic': expected text, found number".
Error wrong_type(std::string_view name, std::string_view expected, const json::value& found);

}  // namespace gantry::scheduling
