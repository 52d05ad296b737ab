// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/report_fields.hpp"

#include <algorithm>
#include <limits>

#include "core/encoding/text_rules.hpp"
#include "core/fleet/cells/cell_values.hpp"

namespace gantry::fleet {

bool fits_json_cell(const json::value& value) {
  return value.is_object() || value.is_array();
}

namespace {

bool is_list_of_texts(const json::value& value) {
  const auto* list = value.if_array();
  return list != nullptr &&
         std::all_of(list->begin(), list->end(), [](const json::value& id) { return id.is_string(); });
}

// As Nova's table keeps nested values.
bool is_folded(std::string_view text) {
  const auto parsed = json::parse(text);
  return parsed && (fits_json_cell(*parsed) || parsed->is_null());
}

}  // namespace

std::string_view expected_of_report(std::string_view key, const json::value& value) {
  const auto is_key = [key](const auto& fed) { return fed.key == key; };
  const auto is_name = [key](std::string_view name) { return name == key; };
  if (std::any_of(reported_integers.begin(), reported_integers.end(), is_key))
    return floor_of(&value) ? "" : "a number";
  if (std::any_of(reported_uses.begin(), reported_uses.end(), is_name) ||
      std::any_of(reported_ratios.begin(), reported_ratios.end(), is_name))
    return f64_of(&value) ? "" : "a number";
  if (std::any_of(reported_texts.begin(), reported_texts.end(), is_key)) return value.is_string() ? "" : "text";
  if (key == "instances") return is_list_of_texts(value) ? "" : "a list of texts";
  if (std::none_of(reported_json.begin(), reported_json.end(), is_key)) return "";
  if (fits_json_cell(value) || (value.is_string() && value.get_string().empty())) return "";
  return value.is_string() && is_folded(value.get_string()) ? "" : "an object or a list, or text that holds one";
}

std::string_view expected_of_agent(std::string_view key, const json::value& value) {
  constexpr double most = std::numeric_limits<std::int32_t>::max();
  constexpr std::array<std::string_view, 3> with_sign{"free_ram_mb", "free_disk_gb", "disk_available_least"};
  const bool is_number = expected_of_report(key, nullptr) == "a number";
  if (!is_number) {
    const bool is_known_text =
        std::any_of(reported_texts.begin(), reported_texts.end(), [key](const auto& fed) { return fed.key == key; });
    if (is_known_text && value.is_string() && !fault_of(TextKind::name, value.get_string()).empty())
      return "text of at most 255 characters without control characters";
    return expected_of_report(key, value);
  }
  const bool may_be_negative = std::find(with_sign.begin(), with_sign.end(), key) != with_sign.end();
  const auto number = f64_of(&value);
  if (number && *number <= most && *number >= (may_be_negative ? -most - 1 : 0)) return "";
  return may_be_negative ? "a number from -2147483648 to 2147483647" : "a number from 0 to 2147483647";
}

std::string_view expected_of_flavor(std::string_view key, const json::value& value) {
  constexpr std::array<std::string_view, 5> amounts{"vcpus", "memory_mb", "root_gb", "ephemeral_gb", "swap"};
  // Old flavors have numbers as text, and "" for no swap.
  const bool is_none = value.is_null() || (value.is_string() && value.get_string().empty());
  if (is_none || std::find(amounts.begin(), amounts.end(), key) == amounts.end()) return "";
  const auto number = f64_of(&value);
  if (number && *number >= 0 && *number <= static_cast<double>(most_of_flavor)) return "";
  return "a number from 0 to 2147483647";
}

}  // namespace gantry::fleet
