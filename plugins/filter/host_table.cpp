// SPDX-License-Identifier: Apache-2.0
#include "host_table.hpp"

#include <algorithm>

namespace filter_driver {

const double* number_column::read(std::uint32_t first, std::uint32_t count, double* room) const {
  if (values_ != nullptr) return values_ + first;
  if (make_)
    make_(first, count, room);
  else
    std::fill_n(room, count, none);
  return room;
}

double number_column::operator[](std::uint32_t row) const {
  double room = none;
  return *read(row, 1, &room);
}

std::optional<std::string_view> aggregate::find(std::string_view key) const {
  for (const auto& [name_of_item, value] : metadata) {
    if (name_of_item == key) return value;
  }
  return std::nullopt;
}

std::string host_table::name_of(std::uint32_t row) const {
  return std::string(host[row].value_or("?")) + "." + std::string(nodename[row].value_or("?"));
}

}  // namespace filter_driver
