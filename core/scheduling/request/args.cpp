// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request/args.hpp"

#include <charconv>

#include "core/fleet/tables/report_fields.hpp"

namespace gantry::scheduling {

namespace {

Error bad_argument(std::string_view name, std::string_view complaint) {
  return {ErrorCode::invalid_argument, "argument '" + std::string(name) + "': " + std::string(complaint), {}};
}

}  // namespace

Error wrong_type(std::string_view name, std::string_view expected, const json::value& found) {
  return bad_argument(name, "expected " + std::string(expected) + ", found " + std::string(json::type_name(found)));
}

std::string value_text(const json::value& value) {
  constexpr std::size_t longest = 60;
  if (value.is_object() || value.is_array()) return std::string(json::type_name(value));
  auto text = json::write(value);
  return text.size() <= longest ? text
                                : std::string(json::type_name(value)) + " of " + std::to_string(text.size()) + " bytes";
}

Result<void> check_report(const json::object& stats) {
  std::string complaints;
  for (const auto& [key, value] : stats) {
    if (value.is_null()) continue;
    const auto expected = fleet::expected_of_agent(key, value);
    if (expected.empty()) continue;
    complaints.append(complaints.empty() ? "" : "; ").append("field '").append(key).append("': expected ");
    complaints.append(expected).append(", found ").append(value_text(value));
  }
  if (complaints.empty()) return {};
  return bad_argument("stats", complaints);
}

Result<std::string> required_text(const json::object& args, std::string_view name) {
  auto text = optional_text(args, name);
  if (!text) return std::move(text).error();
  if (!*text || (*text)->empty()) return bad_argument(name, "missing; expected text");
  return std::move(**text);
}

Result<std::optional<std::string>> optional_text(const json::object& args, std::string_view name) {
  const auto* found = json::find(args, name);
  if (found == nullptr) return std::optional<std::string>();
  if (!found->is_string()) return wrong_type(name, "text", *found);
  return std::optional<std::string>(std::string(std::string_view(found->get_string())));
}

Result<bool> optional_bool(const json::object& args, std::string_view name, bool otherwise) {
  const auto* found = json::find(args, name);
  if (found == nullptr) return otherwise;
  if (found->is_bool()) return found->get_bool();
  if (found->is_string()) {
    const std::string_view text = found->get_string();
    if (text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
  }
  return wrong_type(name, "true or false", *found);
}

Result<std::int64_t> optional_integer(const json::object& args, std::string_view name, std::int64_t otherwise,
                                      std::int64_t least, std::int64_t most) {
  const auto* found = json::find(args, name);
  if (found == nullptr) return otherwise;
  auto number = json::find_integer(args, name);
  if (!number && found->is_string()) {
    const std::string_view text = found->get_string();
    std::int64_t parsed = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), parsed);
    if (end.ec == std::errc() && end.ptr == text.data() + text.size()) number = parsed;
  }
  if (!number) return wrong_type(name, "a whole number", *found);
  if (*number < least || *number > most) {
    return bad_argument(name, "expected " + std::to_string(least) + " to " + std::to_string(most) + ", found " +
                                  std::to_string(*number));
  }
  return *number;
}

Result<json::object> optional_object(const json::object& args, std::string_view name) {
  const auto* found = json::find(args, name);
  if (found == nullptr) return json::object();
  if (!found->is_object()) return wrong_type(name, "an object", *found);
  return json::object(found->get_object(), boost::json::storage_ptr());
}

Result<json::object> required_object(const json::object& args, std::string_view name) {
  if (json::find(args, name) == nullptr) return bad_argument(name, "missing; expected an object");
  return optional_object(args, name);
}

Result<std::vector<std::string>> optional_texts(const json::object& args, std::string_view name) {
  std::vector<std::string> texts;
  const auto* found = json::find(args, name);
  if (found == nullptr) return texts;
  if (!found->is_array()) return wrong_type(name, "a list of texts", *found);
  for (const auto& item : found->get_array()) {
    if (!item.is_string()) return wrong_type(name, "a list of texts", item);
    texts.emplace_back(std::string_view(item.get_string()));
  }
  return texts;
}

Result<HostName> required_host_name(const json::object& args, std::string_view name) {
  const auto* found = json::find(args, name);
  if (found == nullptr) return bad_argument(name, "missing; expected a host, or a pair [host, node]");
  HostName result;
  if (found->is_string()) {
    result.host = std::string_view(found->get_string());
  } else if (found->is_array() && found->get_array().size() == 2 && found->get_array()[0].is_string() &&
             (found->get_array()[1].is_string() || found->get_array()[1].is_null())) {
    result.host = std::string_view(found->get_array()[0].get_string());
    if (found->get_array()[1].is_string()) result.node = std::string_view(found->get_array()[1].get_string());
  } else {
    return wrong_type(name, "a host, or a pair [host, node]", *found);
  }
  if (result.host.empty()) return bad_argument(name, "the host is empty");
  return result;
}

}  // namespace gantry::scheduling
