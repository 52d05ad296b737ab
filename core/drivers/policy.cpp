// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/policy.hpp"

#include <fcntl.h>

#include <span>
#include <type_traits>
#include <variant>

#include "core/drivers/file/file_content.hpp"
#include "core/encoding/json.hpp"
#include "core/encoding/sha256.hpp"
#include "core/files/descriptor.hpp"

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

// The hash of a file's content. Empty if the file is empty or cannot be read.
std::string hash_of(const std::string& path) {
  const files::Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened.is_open()) return {};
  const auto content = read_content(opened.number(), path);
  if (!content) return {};
  const auto hash = sha256_of(*content);
  return hash ? *hash : std::string();
}

using OptionMap = std::map<std::string, config::OptionSource>;

void add_options(std::string& text, const OptionMap& options, const std::vector<OptionDeclaration>& declared) {
  for (const auto& [name, option] : options) text.append(name).append("=").append(text_of(option.value)).append("\n");
  for (const auto& option : declared) {
    const auto given = options.find(option.name);
    if (!option.is_file || given == options.end()) continue;
    const auto* const path = std::get_if<std::string>(&given->second.value);
    if (path != nullptr) text.append("content of ").append(option.name).append("=").append(hash_of(*path)).append("\n");
  }
}

std::vector<OptionDeclaration> options_of_offer(const DriverFile& file, const std::string& name) {
  for (const auto& library : file.offer_libraries)
    for (const auto& offer : library.manifest.offers)
      if (offer.name == name) return offer.options;
  return {};
}

}  // namespace

std::string policy_of(const DriverFile& file, const config::DriverSettings& settings) {
  std::string text = "[" + file.manifest.id + "]\n";
  add_options(text, settings.options, file.manifest.options);
  for (const auto& library : settings.libraries) text.append("library ").append(library).append("\n");
  for (const auto& [name, offer] : settings.offers) {
    text.append("[").append(name).append("]\n");
    add_options(text, offer.options, options_of_offer(file, name));
  }
  const auto hash = sha256_of(std::as_bytes(std::span(text)));
  return hash ? *hash : std::string();
}

}  // namespace gantry::drivers
