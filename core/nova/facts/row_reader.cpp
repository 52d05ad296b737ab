// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/row_reader.hpp"

#include <algorithm>

#include "core/encoding/text_rules.hpp"
#include "core/encoding/time.hpp"
#include "core/encoding/utf8.hpp"

namespace gantry::nova {

namespace {

std::string found(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string_view>(&value))
    return text->size() <= 64 && is_utf8(*text) ? "'" + std::string(*text) + "'" : "another text";
  return "NULL";
}

}  // namespace

const Value& RowReader::value(std::string_view column) const {
  static const Value null;
  const auto at = std::find(table_.columns.begin(), table_.columns.end(), column) - table_.columns.begin();
  return static_cast<std::size_t>(at) < row_.size() ? row_[static_cast<std::size_t>(at)] : null;
}

std::int64_t RowReader::integer(std::string_view column) {
  if (is_null(column)) return 0;
  if (const auto* number = std::get_if<std::int64_t>(&value(column))) return *number;
  set_fault(column, "expected a whole number, found " + found(value(column)));
  return 0;
}

std::int64_t RowReader::id() {
  const auto id = integer("id");
  if (id < 1) set_fault("id", "expected a whole number from 1 on, found " + found(value("id")));
  return id;
}

bool RowReader::truth(std::string_view column) {
  return integer(column) != 0;
}

std::string RowReader::text(std::string_view column) {
  if (is_null(column)) return {};
  const auto* text = std::get_if<std::string_view>(&value(column));
  if (text == nullptr) {
    set_fault(column, "expected text, found " + found(value(column)));
  } else if (text->size() > max_text_bytes) {
    set_fault(column,
              "expected at most " + std::to_string(max_text_bytes) + " bytes, found " + std::to_string(text->size()));
  } else if (!is_utf8(*text)) {
    set_fault(column, "expected text in UTF-8, found other bytes");
  } else {
    return std::string(*text);
  }
  return {};
}

std::string RowReader::name(std::string_view column) {
  auto name = text(column);
  auto wrong = fault_of(TextKind::name, name);
  if (wrong.empty()) return name;
  set_fault(column, std::move(wrong));
  return {};
}

std::int64_t RowReader::time(std::string_view column) {
  if (is_null(column)) return 0;
  const auto* text = std::get_if<std::string_view>(&value(column));
  if (const auto time = text == nullptr ? std::nullopt : parse_time(*text)) return *time;
  set_fault(column, "expected a time such as 2026-11-21 09:00:00, found " + found(value(column)));
  return 0;
}

void RowReader::set_fault(std::string_view column, std::string reason) {
  if (!fault_) fault_ = Fault{std::string(column), std::move(reason)};
}

}  // namespace gantry::nova
