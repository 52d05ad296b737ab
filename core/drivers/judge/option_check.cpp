// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/judge/option_check.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include "core/config/keys.hpp"
#include "core/config/settings.hpp"
#include "core/drivers/file/refusal.hpp"
#include "core/drivers/manifest/option_value.hpp"
#include "core/encoding/nearest.hpp"
#include "core/files/errno_text.hpp"

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

// Why the file that an option names cannot be read, as a sentence's end. nullopt: it can, or the option names none.
std::optional<std::string> unreadable(const OptionDeclaration& option, const config::OptionValue& value) {
  const auto* const path = std::get_if<std::string>(&value);
  if (!option.is_file || path == nullptr || path->empty()) return std::nullopt;
  struct stat file {};
  if (::stat(path->c_str(), &file) != 0) return "'" + *path + "': " + files::errno_text(errno);
  if (!S_ISREG(file.st_mode)) return "'" + *path + "', which is no regular file";
  if (::access(path->c_str(), R_OK) != 0) return "'" + *path + "': " + files::errno_text(errno);
  return std::nullopt;
}

void check_section(const Section& section, std::vector<Error>& problems) {
  for (const auto& [name, source] : section.given) {
    const auto option = std::find_if(section.declared.begin(), section.declared.end(),
                                     [&key = name](const OptionDeclaration& one) { return one.name == key; });
    if (option == section.declared.end()) {
      problems.push_back(unknown_option(section, name, source.origin));
    } else if (const auto misfit = check_value(*option, source.value)) {
      problems.push_back(
          wrong_option(source.origin, section.name + "." + name, misfit->expected, misfit->found, option->help));
    } else if (const auto found = unreadable(*option, source.value)) {
      problems.push_back(wrong_option(source.origin, section.name + "." + name, "a file that can be read", *found, ""));
    }
  }
  for (const OptionDeclaration& option : section.declared) {
    if (!option.required || section.given.contains(option.name)) continue;
    const std::string origin = section.origin.empty() ? "[" + section.name + "]" : section.origin;
    problems.push_back(wrong_option(origin, section.name + "." + option.name,
                                    "a value, for the " + std::string(section.owner) + " requires one", "no such key",
                                    option.help));
  }
}

void check_each_is_offered(const DriverFile& driver, const config::DriverSettings& settings,
                           std::vector<Error>& problems) {
  std::vector<std::string> offered;
  for (const DriverFile& library : driver.offer_libraries)
    for (const OfferDeclaration& offer : library.manifest.offers) offered.push_back(offer.name);
  for (const auto& [name, section] : settings.offers) {
    if (std::find(offered.begin(), offered.end(), name) != offered.end()) continue;
    const std::string key = "driver." + driver.manifest.id + ".options." + name;
    problems.push_back(
        offered.empty()
            ? wrong_option(section.origin, key, "no options of offers, for no library offers any", "'" + name + "'",
                           "name the library in libraries of [driver." + driver.manifest.id + "]")
            : unknown_name(section.origin, key, name, offered, "'" + name + "', which no library offers"));
  }
}

}  // namespace

Result<void> check_options(const Manifest& manifest, const config::DriverSettings& settings) {
  std::vector<Error> problems;
  std::vector<std::string> core_keys;
  for (const auto& key : config::driver_keys()) core_keys.emplace_back(key.name);
  check_section({"driver." + manifest.id, settings.origin, manifest.options, settings.options, std::move(core_keys)},
                problems);
  return problems.empty() ? Result<void>() : joined(problems);
}

Result<void> check_offer_options(const DriverFile& driver, const config::DriverSettings& settings) {
  std::vector<Error> problems;
  check_each_is_offered(driver, settings, problems);
  const config::OfferSettings nothing_set;
  for (const DriverFile& library : driver.offer_libraries) {
    for (const OfferDeclaration& offer : library.manifest.offers) {
      const auto found = settings.offers.find(offer.name);
      const config::OfferSettings& set = found == settings.offers.end() ? nothing_set : found->second;
      check_section({"driver." + driver.manifest.id + ".options." + offer.name,
                     set.origin,
                     offer.options,
                     set.options,
                     {},
                     "offer"},
                    problems);
    }
  }
  return problems.empty() ? Result<void>() : joined(problems);
}

}  // namespace gantry::drivers
