// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/options.hpp"

#include <algorithm>
#include <utility>

#include "core/config/load.hpp"
#include "core/drivers/driver.hpp"
#include "core/drivers/option_value.hpp"
#include "core/drivers/text.hpp"

namespace gantry::drivers {
namespace {

Error wrong_option(const Manifest& manifest, const std::string& origin, const std::string& name,
                   const std::string& expected, const std::string& found, const std::string& advice) {
  std::string message =
      origin + ": key 'driver." + manifest.id + "." + name + "': expected " + expected + ", found " + found;
  if (!advice.empty()) message.append("; ").append(advice);
  return Error{ErrorCode::invalid_configuration, std::move(message), {}};
}

Error unknown_option(const Manifest& manifest, const std::string& name, const std::string& origin) {
  std::vector<std::string> known{"path", "required", "sha256"};
  for (const OptionDeclaration& option : manifest.options) known.push_back(option.name);
  std::string all;
  for (const std::string& one : known) all.append(all.empty() ? "one of " : ", ").append(one);
  const std::string near = config::nearest(name, known);
  return wrong_option(manifest, origin, name, all, "an unknown key",
                      near.empty() ? "" : "did you mean '" + near + "'?");
}

}  // namespace

Result<void> check_options(const Manifest& manifest, const config::DriverSettings& settings) {
  for (const auto& [name, source] : settings.options) {
    const auto option = std::find_if(manifest.options.begin(), manifest.options.end(),
                                     [&key = name](const OptionDeclaration& one) { return one.name == key; });
    if (option == manifest.options.end()) return unknown_option(manifest, name, source.origin);
    if (const auto misfit = find_misfit(*option, source.value)) {
      return wrong_option(manifest, source.origin, name, misfit->expected, misfit->found, option->help);
    }
  }
  for (const OptionDeclaration& option : manifest.options) {
    if (!option.required || settings.options.contains(option.name)) continue;
    const std::string origin = settings.origin.empty() ? "[driver." + manifest.id + "]" : settings.origin;
    return wrong_option(manifest, origin, option.name, "a value, for the driver requires one", "no such key",
                        option.help);
  }
  return {};
}

Options::Options(const Manifest& manifest, const config::DriverSettings& settings) {
  for (const OptionDeclaration& declaration : manifest.options) {
    const auto given = settings.options.find(declaration.name);
    const bool is_default = given == settings.options.end();
    if (is_default && !declaration.default_value) continue;
    gantry_option option = make(declaration, is_default ? *declaration.default_value : given->second.value);
    option.is_default = is_default ? 1 : 0;
    options_.push_back(option);
  }
  table_.struct_size = sizeof(gantry_options);
  table_.option_stride = sizeof(gantry_option);
  table_.options = options_.data();
  table_.option_count = options_.size();
}

gantry_string Options::keep(const std::string& text) {
  return to_abi(texts_.emplace_back(text));
}

gantry_option Options::make(const OptionDeclaration& declaration, const config::OptionValue& value) {
  gantry_option option{};
  option.name = keep(declaration.name);
  option.type = declaration.type;
  if (const auto* boolean = std::get_if<bool>(&value)) option.integer = *boolean ? 1 : 0;
  if (const auto* real = std::get_if<double>(&value)) option.real = *real;
  if (const auto* text = std::get_if<std::string>(&value)) option.string = keep(*text);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (declaration.type == GANTRY_OPTION_REAL) {
      option.real = static_cast<double>(*integer);
    } else {
      option.integer = *integer;
    }
  }
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    auto& list = lists_.emplace_back();
    for (const std::string& text : *texts) list.push_back(keep(text));
    option.strings = {list.data(), list.size()};
  }
  if (const auto* pairs = std::get_if<std::map<std::string, std::string>>(&value)) {
    auto& table = tables_.emplace_back();
    for (const auto& [key, text] : *pairs) table.push_back({keep(key), keep(text)});
    option.table = {table.data(), table.size()};
  }
  return option;
}

}  // namespace gantry::drivers
