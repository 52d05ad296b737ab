// SPDX-License-Identifier: Apache-2.0
#include "python/numbers_of_aggregates.hpp"

#include <cstdlib>
#include <string>

#include "python/comma_list.hpp"

namespace filter_driver {

namespace {

template <class Number, class Read>
std::optional<Number> least(const std::vector<const aggregate*>& aggregates, std::string_view key, Read&& read) {
  std::optional<Number> found;
  for (const auto* const each : aggregates) {
    const auto text = each->find(key);
    if (!text) continue;
    const auto value = read(std::string(stripped(*text)));
    if (!value) return std::nullopt;
    if (!found || *value < *found) found = value;
  }
  return found;
}

}  // namespace

std::optional<double> least_number(const std::vector<const aggregate*>& aggregates, std::string_view key) {
  return least<double>(aggregates, key, [](const std::string& text) -> std::optional<double> {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0') return std::nullopt;
    return value;
  });
}

std::optional<std::int64_t> least_integer(const std::vector<const aggregate*>& aggregates, std::string_view key) {
  return least<std::int64_t>(aggregates, key, [](const std::string& text) -> std::optional<std::int64_t> {
    char* end = nullptr;
    const auto value = std::strtoll(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0') return std::nullopt;
    return value;
  });
}

}  // namespace filter_driver
