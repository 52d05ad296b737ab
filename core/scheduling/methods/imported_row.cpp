// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/imported_row.hpp"

#include <charconv>

#include "core/encoding/time.hpp"
#include "core/scheduling/request/args.hpp"

namespace gantry::scheduling {

namespace {

std::optional<std::int64_t> integer_in(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (!value.is_string()) return std::nullopt;
  const std::string_view text = value.get_string();
  std::int64_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string ImportedRow::text(std::string_view key, TextKind kind) {
  const auto* value = json::find(values_, key);
  if (value == nullptr) return {};
  if (!value->is_string()) {
    leave_out(key, "text", *value);
    return {};
  }
  const std::string_view text = value->get_string();
  const auto fault = fault_of(kind, text);
  if (fault.empty()) return std::string(text);
  list(std::string(key) + ": " + fault + "; left out");
  return {};
}

std::int64_t ImportedRow::time(std::string_view key) {
  const auto* value = json::find(values_, key);
  if (value == nullptr) return 0;
  if (value->is_string()) {
    if (const auto time = parse_time(std::string_view(value->get_string()))) return *time;
  }
  leave_out(key, "a time such as \"2026-11-21 09:00:00\"", *value);
  return 0;
}

std::int64_t ImportedRow::integer(std::string_view key, std::int64_t most) {
  const auto* value = json::find(values_, key);
  if (value == nullptr) return 0;
  const auto number = integer_in(*value);
  if (number && *number >= 0 && *number <= most) return *number;
  leave_out(key,
            most == std::numeric_limits<std::int64_t>::max() ? "a whole number of at least 0"
                                                             : "a whole number from 0 to " + std::to_string(most),
            *value);
  return 0;
}

std::optional<bool> ImportedRow::truth(std::string_view key) {
  const auto* value = json::find(values_, key);
  if (value == nullptr) return false;
  if (value->is_bool()) return value->get_bool();
  if (const auto number = integer_in(*value)) return *number != 0;
  if (*value == "true") return true;
  if (*value == "false") return false;
  list(std::string(key) + ": expected true or false, found " + value_text(*value) + "; the row is left out");
  return std::nullopt;
}

void ImportedRow::leave_out(std::string_view key, std::string_view expected, const json::value& found) {
  list(std::string(key) + ": expected " + std::string(expected) + ", found " + value_text(found) + "; left out");
}

void ImportedRow::leave_out(std::string_view why) {
  list(why);
}

void ImportedRow::list(std::string_view why) {
  skipped_.push_back(json::value(std::string(table_) + "[" + std::to_string(index_) + "]: " + std::string(why)));
}

}  // namespace gantry::scheduling
