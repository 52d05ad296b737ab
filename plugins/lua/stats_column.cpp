// SPDX-License-Identifier: Apache-2.0
#include "stats_column.hpp"

#include <algorithm>
#include <array>
#include <gantry/driver/json.hpp>

namespace lua_driver {

namespace {

bool is_set(const std::uint64_t* bitmap, std::uint32_t row) {
  return bitmap == nullptr || ((bitmap[row / 64] >> (row % 64)) & 1) != 0;
}

}  // namespace

const gantry_column& stats_column::read(const gantry_column& documents, std::uint32_t rows, std::string_view key) {
  const auto* const texts = static_cast<const gantry_json*>(documents.values);
  const gantry_json none = {{"{}", 2}, UINT64_MAX};
  bool is_changed = cells_.size() != rows || column_.struct_size == 0;
  cells_.resize(rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    const gantry_json& document = is_set(documents.validity, row) ? texts[row] : none;
    if (document.version != 0 && document.version == cells_[row].version) continue;
    cells_[row] = parse(document, key);
    is_changed = true;
  }
  if (is_changed) show(type());
  return column_;
}

stats_column::cell stats_column::parse(const gantry_json& document, std::string_view key) {
  cell made;
  made.version = document.version;
  const gantry::json_value value = gantry::json_value(gantry::text(document.text))[key];
  if (auto text = value.text()) {
    made.is = kind::text;
    made.text = std::move(*text);
  } else if (const auto truth = value.boolean()) {
    made.is = kind::truth;
    made.integer = *truth ? 1 : 0;
  } else if (const auto integer = value.integer()) {
    made.is = kind::integer;
    made.integer = *integer;
    made.number = static_cast<double>(*integer);
  } else if (const auto real = value.real()) {
    made.is = kind::real;
    made.number = *real;
  }
  return made;
}

std::int32_t stats_column::type() const {
  std::array<std::size_t, 5> counts = {};
  for (const cell& each : cells_) ++counts[static_cast<std::size_t>(each.is)];
  const std::size_t truths = counts[1];
  const std::size_t numbers = counts[2] + counts[3];
  const std::size_t texts = counts[4];
  if (texts > std::max(numbers, truths)) return GANTRY_TYPE_STRING;
  if (truths > numbers) return GANTRY_TYPE_BOOL;
  return counts[3] == 0 ? GANTRY_TYPE_I64 : GANTRY_TYPE_F64;
}

void stats_column::show(std::int32_t type) {
  const std::size_t words = (cells_.size() + 63) / 64;
  const std::size_t room = words * 64;  // column operations read on to the end of the last word
  validity_.assign(words, 0);
  truths_.assign(type == GANTRY_TYPE_BOOL ? words : 0, 0);
  integers_.assign(type == GANTRY_TYPE_I64 ? room : 0, 0);
  reals_.assign(type == GANTRY_TYPE_F64 ? room : 0, 0);
  codes_.assign(type == GANTRY_TYPE_STRING ? room : 0, 0);
  known_.clear();
  dictionary_.clear();
  for (std::size_t row = 0; row < cells_.size(); ++row) {
    const cell& each = cells_[row];
    const std::uint64_t bit = std::uint64_t{1} << (row % 64);
    const bool is_number = each.is == kind::integer || each.is == kind::real;
    const bool is_known = type == GANTRY_TYPE_STRING ? each.is == kind::text
                          : type == GANTRY_TYPE_BOOL ? each.is == kind::truth
                                                     : is_number;
    if (!is_known) continue;
    validity_[row / 64] |= bit;
    if (type == GANTRY_TYPE_STRING) codes_[row] = code_of(each.text);
    if (type == GANTRY_TYPE_BOOL && each.integer != 0) truths_[row / 64] |= bit;
    if (type == GANTRY_TYPE_I64) integers_[row] = each.integer;
    if (type == GANTRY_TYPE_F64) reals_[row] = each.number;
  }
  column_ = {};
  column_.struct_size = sizeof column_;
  column_.type = type;
  column_.validity = validity_.data();
  column_.values = type == GANTRY_TYPE_STRING ? static_cast<const void*>(codes_.data())
                   : type == GANTRY_TYPE_BOOL ? static_cast<const void*>(truths_.data())
                   : type == GANTRY_TYPE_I64  ? static_cast<const void*>(integers_.data())
                                              : static_cast<const void*>(reals_.data());
  column_.dictionary = dictionary_.data();
  column_.dictionary_count = dictionary_.size();
}

std::uint32_t stats_column::code_of(const std::string& text) {
  const auto [found, is_new] = known_.emplace(text, static_cast<std::uint32_t>(dictionary_.size()));
  if (is_new) dictionary_.push_back(gantry::raw(found->first));
  return found->second;
}

}  // namespace lua_driver
