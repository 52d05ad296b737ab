// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/judge/option_check.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/config/settings.hpp"
#include "core/drivers/manifest/option_value.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::drivers {

Error wrong_option(const std::string& origin, const std::string& key, const std::string& expected,
                   const std::string& found, const std::string& advice) {
  std::string message = origin + ": key '" + key + "': expected " + expected + ", found " + found;
  if (!advice.empty()) message.append("; ").append(advice);
  return Error{ErrorCode::invalid_configuration, std::move(message), {}};
}

namespace {

// A section and what may stand in it.
struct Section {
  std::string name;    // "driver.zoo"
  std::string origin;  // where it stands; empty: nowhere
  const std::vector<OptionDeclaration>& declared;
  const std::map<std::string, config::OptionSource>& given;
  std::vector<std::string> core_keys = {};
  std::string_view owner = "driver";
};

// An unknown name beside those that there are.
Error unknown_name(const std::string& origin, const std::string& key, const std::string& name,
                   const std::vector<std::string>& known, const std::string& found) {
  std::string all;
  for (const std::string& one : known) all.append(all.empty() ? "one of " : ", ").append(one);
  const std::string near = nearest(name, known);
  return wrong_option(origin, key, all, found, near.empty() ? "" : "did you mean '" + near + "'?");
}

Error unknown_option(const Section& section, const std::string& name, const std::string& origin) {
  std::vector<std::string> known = section.core_keys;
  for (const OptionDeclaration& option : section.declared) known.push_back(option.name);
  if (known.empty()) {
    return wrong_option(origin, section.name + "." + name,
                        "no option, for the " + std::string(section.owner) + " takes none", "one", "");
  }
  return unknown_name(origin, section.name + "." + name, name, known, "an unknown key");
}

Result<void> check_section(const Section& section) {
  for (const auto& [name, source] : section.given) {
    const auto option = std::find_if(section.declared.begin(), section.declared.end(),
                                     [&key = name](const OptionDeclaration& one) { return one.name == key; });
    if (option == section.declared.end()) return unknown_option(section, name, source.origin);
    if (const auto misfit = check_value(*option, source.value)) {
      return wrong_option(source.origin, section.name + "." + name, misfit->expected, misfit->found, option->help);
    }
  }
  for (const OptionDeclaration& option : section.declared) {
    if (!option.required || section.given.contains(option.name)) continue;
    const std::string origin = section.origin.empty() ? "[" + section.name + "]" : section.origin;
    return wrong_option(origin, section.name + "." + option.name,
                        "a value, for the " + std::string(section.owner) + " requires one", "no such key", option.help);
  }
  return {};
}

Result<void> check_each_is_offered(const DriverFile& driver, const config::DriverSettings& settings) {
  std::vector<std::string> offered;
  for (const DriverFile& library : driver.offer_libraries)
    for (const OfferDeclaration& offer : library.manifest.offers) offered.push_back(offer.name);
  for (const auto& [name, section] : settings.offers) {
    if (std::find(offered.begin(), offered.end(), name) != offered.end()) continue;
    const std::string key = "driver." + driver.manifest.id + ".options." + name;
    if (offered.empty()) {
      return wrong_option(section.origin, key, "no options of offers, for no library offers any", "'" + name + "'",
                          "name the library in libraries of [driver." + driver.manifest.id + "]");
    }
    return unknown_name(section.origin, key, name, offered, "'" + name + "', which no library offers");
  }
  return {};
}

}  // namespace

Result<void> check_options(const Manifest& manifest, const config::DriverSettings& settings) {
  return check_section({"driver." + manifest.id,
                        settings.origin,
                        manifest.options,
                        settings.options,
                        {"path", "required", "sha256", "libraries"}});
}

Result<void> check_offer_options(const DriverFile& driver, const config::DriverSettings& settings) {
  if (Result<void> checked = check_each_is_offered(driver, settings); !checked) return checked;
  const config::OfferSettings nothing_set;
  for (const DriverFile& library : driver.offer_libraries) {
    for (const OfferDeclaration& offer : library.manifest.offers) {
      const auto found = settings.offers.find(offer.name);
      const config::OfferSettings& set = found == settings.offers.end() ? nothing_set : found->second;
      Result<void> checked = check_section({"driver." + driver.manifest.id + ".options." + offer.name,
                                            set.origin,
                                            offer.options,
                                            set.options,
                                            {},
                                            "offer"});
      if (!checked) return checked;
    }
  }
  return {};
}

}  // namespace gantry::drivers
