// SPDX-License-Identifier: Apache-2.0
#include "hosts/host_table.hpp"

#include <algorithm>
#include <unordered_set>

#include "hosts/wide.hpp"

namespace filter_driver {

const double* number_column::read(std::uint32_t first, std::uint32_t count, double* room) const {
  if (values_ != nullptr || integers_ != nullptr) {
    const bool complete = count != 1 && all_set(validity_, first, count);
    if (complete && values_ != nullptr) return values_ + first;
    if (!complete)
      fill_valid(first, count, room);
    else
      run_wide([ room, from = integers_ + first, count = std::size_t{count} ]() __attribute__((always_inline)) {
        for (std::size_t i = 0; i < count; ++i) room[i] = static_cast<double>(from[i]);
      });
    return room;
  }
  if (make_)
    make_(first, count, room);
  else
    std::fill_n(room, count, none);
  return room;
}

void number_column::fill_valid(std::uint32_t first, std::uint32_t count, double* into) const {
  if (make_) return make_(first, count, into);
  for (std::uint32_t row = first; row < first + count; ++row) {
    const bool has_value = validity_ == nullptr || ((validity_[row / 64] >> (row % 64)) & 1) != 0;
    const double value = !has_value ? 0.0 : values_ != nullptr ? values_[row] : static_cast<double>(integers_[row]);
    into[row - first] = value;
  }
}

double number_column::operator[](std::uint32_t row) const {
  double room = none;
  return *read(row, 1, &room);
}

std::vector<bool> text_codes::is_one_of(std::span<const std::string> texts) const {
  std::vector<bool> found(code_count(), false);
  const std::unordered_set<std::string_view> wanted(texts.begin(), texts.end());
  std::uint64_t sizes = 0;  // bitmap of the wanted sizes modulo 64: skips most hash lookups
  for (const auto& text : texts) sizes |= std::uint64_t{1} << (text.size() % 64);
  for (std::size_t code = 0; code < dictionary_.size(); ++code) {
    const auto text = gantry::text(dictionary_[code]);
    found[code] = ((sizes >> (text.size() % 64)) & 1) != 0 && wanted.contains(text);
  }
  return found;
}

std::optional<std::string_view> aggregate::find(std::string_view key) const {
  for (const auto& [name_of_item, value] : metadata) {
    if (name_of_item == key) return value;
  }
  return std::nullopt;
}

std::vector<const aggregate*> aggregate_sets::of_code(std::uint32_t code) const {
  std::vector<const aggregate*> members;
  if (code >= sets_.size()) return members;
  members.reserve(sets_[code].count);
  for (std::uint32_t at = 0; at < sets_[code].count; ++at)
    members.push_back(&aggregates_[elements_[sets_[code].begin + at]]);
  return members;
}

std::string host_table::name_of(std::uint32_t row) const {
  std::string name(host[row].value_or("?"));
  if (const auto node = nodename[row]) name.append(".").append(*node);
  return name;
}

}  // namespace filter_driver
