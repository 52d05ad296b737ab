// SPDX-License-Identifier: Apache-2.0
//
// Typed access to the arguments of a method. An error names the argument, the expected type and the found one. Where a
// number or a truth value is expected, a text is read as one: the query of a GET holds only texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::scheduling {

// `optional_` returns the default, or an empty value, if the argument is absent or null. `required_` fails then.
Result<std::string> required_text(const json::object& args, std::string_view name);
Result<std::optional<std::string>> optional_text(const json::object& args, std::string_view name);
Result<bool> optional_bool(const json::object& args, std::string_view name, bool otherwise);
Result<std::int64_t> optional_integer(const json::object& args, std::string_view name, std::int64_t otherwise,
                                      std::int64_t least, std::int64_t most);
Result<json::object> optional_object(const json::object& args, std::string_view name);
Result<json::object> required_object(const json::object& args, std::string_view name);
Result<std::vector<std::string>> optional_texts(const json::object& args, std::string_view name);

// A host's name: text, or a pair [host, node].
struct HostName {
  std::string host;
  std::string node;  // empty: none
};
Result<HostName> required_host_name(const json::object& args, std::string_view name);

// "argument 'topic': expected text, found number"
Error wrong_type(std::string_view name, std::string_view expected, const json::value& found);

}  // namespace gantry::scheduling
