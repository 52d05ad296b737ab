// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/policy.hpp"

#include <span>
#include <type_traits>
#include <variant>

#include "core/encoding/json.hpp"
#include "core/encoding/sha256.hpp"

namespace gantry::drivers {
namespace {

std::string text_of(const config::OptionValue& value) {
  const auto write = [](const auto& one) {
    if constexpr (std::is_same_v<std::decay_t<decltype(one)>, std::map<std::string, std::string>>) {
      json::object table;
      for (const auto& [key, text] : one) table[key] = text;
      return json::write(table);
    } else if constexpr (std::is_same_v<std::decay_t<decltype(one)>, std::vector<std::string>>) {
      return json::write(json::value(json::array(one.begin(), one.end())));
    } else {
      return json::write(json::value(one));
    }
  };
  return std::visit(write, value);
}

void add_options(std::string& text, const std::map<std::string, config::OptionSource>& options) {
  for (const auto& [name, option] : options) text.append(name).append("=").append(text_of(option.value)).append("\n");
}

}  // namespace

std::string policy_of(const std::string& id, const config::DriverSettings& settings) {
  std::string text = "[" + id + "]\n";
  add_options(text, settings.options);
  for (const auto& library : settings.libraries) text.append("library ").append(library).append("\n");
  for (const auto& [name, offer] : settings.offers) {
    text.append("[").append(name).append("]\n");
    add_options(text, offer.options);
  }
  const auto hash = sha256_of(std::as_bytes(std::span(text)));
  return hash ? *hash : std::string();
}

}  // namespace gantry::drivers
