// SPDX-License-Identifier: Apache-2.0
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

constexpr std::size_t most_bytes = 64;
constexpr std::size_t most_items = 4;

bool continues_letter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

}  // namespace

std::string shortened(std::string_view text) {
  if (text.size() <= most_bytes) return std::string(text);
  auto end = most_bytes;
  while (end > 0 && continues_letter(text[end])) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string quoted(std::string_view text) {
  return "'" + shortened(text) + "'";
}

std::string listed(const std::vector<std::string>& items) {
  const auto shown = items.size() > most_items ? most_items - 1 : items.size();
  std::string text;
  for (std::size_t at = 0; at < shown; ++at) {
    if (at != 0) text += at + 1 == items.size() ? " and " : ", ";
    text += items[at];
  }
  if (shown < items.size()) text += " and " + std::to_string(items.size() - shown) + " more";
  return text;
}

std::string_view unit_after(double amount, std::string_view unit) {
  if (amount == 1 && unit.ends_with('s')) unit.remove_suffix(1);
  return unit;
}

}  // namespace filter_driver
