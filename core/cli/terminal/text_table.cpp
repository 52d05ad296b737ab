// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/text_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <ostream>

#include "core/encoding/printable.hpp"

namespace gantry::cli {

namespace {

bool is_wide(std::uint32_t point) {
  return (point >= 0x1100 && point <= 0x115F) || (point >= 0x2E80 && point <= 0xA4CF) ||
         (point >= 0xAC00 && point <= 0xD7A3) || (point >= 0xF900 && point <= 0xFAFF) ||
         (point >= 0xFE30 && point <= 0xFE6F) || (point >= 0xFF00 && point <= 0xFF60) ||
         (point >= 0x1F300 && point <= 0x1FAFF);
}

bool is_combining(std::uint32_t point) {
  return (point >= 0x0300 && point <= 0x036F) || point == 0x200B || point == 0x200D ||
         (point >= 0xFE00 && point <= 0xFE0F);
}

bool is_number(std::string_view cell) {
  double value = 0;
  const auto [end, problem] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return problem == std::errc() && end == cell.data() + cell.size() && cell.find_first_of("0123456789") == 0;
}

// Green for what is well, red for what is not; empty for all else.
std::string_view colour_of(std::string_view cell) {
  constexpr std::array good{"up", "active", "ACTIVE", "enabled", "ok", "same"};
  constexpr std::array bad{"down", "forced_down", "error", "ERROR", "refused", "missing"};
  constexpr std::array doubtful{"disabled", "changed", "BUILDING", "building"};
  if (std::ranges::find(good, cell) != good.end()) return "\x1b[32m";
  if (std::ranges::find(bad, cell) != bad.end()) return "\x1b[31m";
  if (std::ranges::find(doubtful, cell) != doubtful.end()) return "\x1b[33m";
  return "";
}

void print_cell(std::ostream& out, std::string_view cell, std::string_view colour) {
  if (colour.empty())
    out << cell;
  else
    out << colour << cell << "\x1b[0m";
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t point = next_code_point(text, at);
    if (is_combining(point)) continue;
    width += is_wide(point) ? 2 : 1;
  }
  return width;
}

TextTable::TextTable(std::vector<std::string> headers) : headers_(std::move(headers)) {}

void TextTable::add(std::vector<std::string> cells) {
  cells.resize(headers_.size());
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

void TextTable::print(std::ostream& out, bool colour, std::size_t indent) const {
  std::vector<std::size_t> widths;
  // Numbers, and dashes beside them, stand to the right.
  std::vector<bool> right(headers_.size(), true);
  std::vector<bool> has_number(headers_.size(), false);
  for (const std::string& header : headers_) widths.push_back(display_width(header));
  for (const auto& row : rows_)
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], display_width(row[column]));
      if (is_number(row[column]))
        has_number[column] = true;
      else if (row[column] != "-")
        right[column] = false;
    }
  for (std::size_t column = 0; column < right.size(); ++column) right[column] = right[column] && has_number[column];
  const auto print_row = [&](const std::vector<std::string>& row, bool header) {
    out << std::string(indent, ' ');
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string padding(widths[column] - display_width(row[column]), ' ');
      std::string_view tone;
      if (colour) tone = header ? std::string_view("\x1b[1m") : colour_of(row[column]);
      if (right[column]) out << padding;
      print_cell(out, row[column], tone);
      if (column + 1 == row.size()) break;
      out << (right[column] ? "" : padding) << "  ";
    }
    out << '\n';
  };
  print_row(headers_, true);
  for (const auto& row : rows_) print_row(row, false);
}

void TextTable::print_values(std::ostream& out) const {
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column) out << (column == 0 ? "" : "\t") << row[column];
    out << '\n';
  }
}

}  // namespace gantry::cli
