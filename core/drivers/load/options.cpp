// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/options.hpp"

#include "core/drivers/abi/abi_text.hpp"

namespace gantry::drivers {
Options::Options(const std::vector<OptionDeclaration>& declared,
                 const std::map<std::string, config::OptionSource>& settings) {
  for (const OptionDeclaration& declaration : declared) {
    const auto given = settings.find(declaration.name);
    const bool is_default = given == settings.end();
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
