// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/manifest/option_value.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "gantry/driver.h"

namespace gantry::drivers {
namespace {

constexpr std::array<std::string_view, 7> type_names = {"", "boolean", "integer", "real", "string", "strings", "table"};

std::string number(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return std::string(text.data(), end);
}

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

struct Describer {
  std::string operator()(bool value) const { return value ? "boolean true" : "boolean false"; }
  std::string operator()(std::int64_t value) const { return "integer " + std::to_string(value); }
  std::string operator()(double value) const { return "real " + number(value); }
  std::string operator()(const std::string& value) const { return "string " + in_quotes(value); }
  std::string operator()(const std::vector<std::string>& value) const {
    return "a list of " + std::to_string(value.size()) + " strings";
  }
  std::string operator()(const std::map<std::string, std::string>& value) const {
    return "a table of " + std::to_string(value.size()) + " strings";
  }
};

bool has_type(std::int32_t type, const config::OptionValue& value) {
  switch (type) {
    case GANTRY_OPTION_BOOLEAN: return std::holds_alternative<bool>(value);
    case GANTRY_OPTION_INTEGER: return std::holds_alternative<std::int64_t>(value);
    case GANTRY_OPTION_REAL: {
      const auto* real = std::get_if<double>(&value);
      return real != nullptr ? std::isfinite(*real) : std::holds_alternative<std::int64_t>(value);
    }
    case GANTRY_OPTION_STRING: return std::holds_alternative<std::string>(value);
    case GANTRY_OPTION_STRINGS: return std::holds_alternative<std::vector<std::string>>(value);
    case GANTRY_OPTION_TABLE: return std::holds_alternative<std::map<std::string, std::string>>(value);
    default: return false;
  }
}

std::string expected_type(std::int32_t type) {
  switch (type) {
    case GANTRY_OPTION_STRINGS: return "a list of strings";
    case GANTRY_OPTION_TABLE: return "a table of strings";
    case GANTRY_OPTION_REAL: return "a finite real";
    case GANTRY_OPTION_INTEGER: return "an integer";
    default: return "a " + std::string(option_type_name(type));
  }
}

std::optional<Misfit> find_choice_misfit(const OptionDeclaration& option, const std::string& value) {
  const auto& choices = option.choices;
  if (choices.empty() || !option.offers.empty() || std::find(choices.begin(), choices.end(), value) != choices.end())
    return std::nullopt;
  std::string all;
  for (const std::string& choice : choices) all.append(all.empty() ? "" : ", ").append(in_quotes(choice));
  return Misfit{"one of " + all, in_quotes(value)};
}

std::optional<Misfit> find_range_misfit(const OptionDeclaration& option, double value, const std::string& found) {
  if (option.minimum && value < *option.minimum) return Misfit{"at least " + number(*option.minimum), found};
  if (option.maximum && value > *option.maximum) return Misfit{"at most " + number(*option.maximum), found};
  return std::nullopt;
}

}  // namespace

std::int32_t option_type(std::string_view name) {
  const auto* found = std::find(type_names.begin() + 1, type_names.end(), name);
  return found == type_names.end() ? 0 : static_cast<std::int32_t>(found - type_names.begin());
}

std::string_view option_type_name(std::int32_t type) {
  return type > 0 && static_cast<std::size_t>(type) < type_names.size() ? type_names[static_cast<std::size_t>(type)]
                                                                        : "";
}

std::string describe(const config::OptionValue& value) {
  return std::visit(Describer{}, value);
}

std::optional<Misfit> check_value(const OptionDeclaration& option, const config::OptionValue& value) {
  if (!has_type(option.type, value)) return Misfit{expected_type(option.type), describe(value)};
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return find_range_misfit(option, static_cast<double>(*integer), describe(value));
  }
  if (const auto* real = std::get_if<double>(&value)) return find_range_misfit(option, *real, describe(value));
  if (const auto* text = std::get_if<std::string>(&value)) {
    // An empty default stands for no file.
    const bool is_none = text->empty() && option.default_value == value;
    if (option.is_file && !text->starts_with('/') && !is_none)
      return Misfit{"the absolute path of a file", in_quotes(*text)};
    return find_choice_misfit(option, *text);
  }
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    for (const std::string& text : *texts) {
      if (auto misfit = find_choice_misfit(option, text)) return misfit;
    }
  }
  return std::nullopt;
}

}  // namespace gantry::drivers
