// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/arguments.hpp"

#include <charconv>
#include <cmath>

namespace gantry::cli {

bool Arguments::has(std::string_view name) const {
  return values_.find(name) != values_.end();
}

std::string Arguments::text(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string() : found->second.back();
}

std::vector<std::string> Arguments::all(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

std::optional<std::int64_t> Arguments::integer(std::string_view name) const {
  const std::string word = text(name);
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || problem != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<double> Arguments::number(std::string_view name) const {
  const std::string word = text(name);
  double value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || problem != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<std::chrono::milliseconds> Arguments::seconds(std::string_view name) const {
  const auto value = number(name);
  if (!value) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(*value * 1000.0));
}

}  // namespace gantry::cli
