// SPDX-License-Identifier: Apache-2.0
//
// The checks of options that are lists of names.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/file/refusal.hpp"
#include "core/drivers/judge/option_check.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::drivers {
namespace {

using Names = std::vector<std::string>;

bool holds(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct Given {
  const Names* names = nullptr;  // as set, else the default
  std::string origin;            // where it stands, or would
};

Given given(const OptionDeclaration& option, const Manifest& manifest, const config::DriverSettings& settings) {
  const auto set = settings.options.find(option.name);
  if (set != settings.options.end()) return {std::get_if<Names>(&set->second.value), set->second.origin};
  const std::string section = "[driver." + manifest.id + "]";
  return {option.default_value ? std::get_if<Names>(&*option.default_value) : nullptr,
          settings.origin.empty() ? section : settings.origin};
}

std::string key_of(const OptionDeclaration& option, const Manifest& manifest) {
  return "driver." + manifest.id + "." + option.name;
}

// Returns the names of the offers of a kind in all libraries. An empty `kind` means any kind.
Names offered(const DriverFile& driver, std::string_view kind) {
  Names names;
  for (const DriverFile& library : driver.offer_libraries) {
    for (const OfferDeclaration& offer : library.manifest.offers)
      if (kind.empty() || offer.kind == kind) names.push_back(offer.name);
  }
  return names;
}

void check_names(const DriverFile& driver, const OptionDeclaration& option, const Given& list,
                 std::vector<Error>& problems) {
  const Names of_kind = offered(driver, option.offers);
  Names known = option.choices;
  known.insert(known.end(), of_kind.begin(), of_kind.end());
  for (const std::string& name : *list.names) {
    if (holds(known, name)) continue;
    std::string all;
    for (const std::string& one : known) all.append(all.empty() ? "one of " : ", ").append(one);
    if (known.empty()) all = "no name, for no library offers anything of kind " + option.offers;
    const std::string near = nearest(name, known);
    const bool is_of_another_kind = holds(offered(driver, {}), name);
    problems.push_back(
        wrong_option(list.origin, key_of(option, driver.manifest), all,
                     "'" + name + "'" + (is_of_another_kind ? ", which is not of kind " + option.offers : ""),
                     "a library that offers the name may stand in libraries = [...] of [driver." + driver.manifest.id +
                         "]" + (near.empty() ? "" : "; did you mean '" + near + "'?")));
  }
}

void check_each_is_new(const DriverFile& driver, const OptionDeclaration& option, std::vector<Error>& problems) {
  for (const DriverFile& library : driver.offer_libraries) {
    for (const OfferDeclaration& offer : library.manifest.offers) {
      if (!holds(option.choices, offer.name)) continue;
      problems.push_back(Error{ErrorCode::invalid_configuration,
                               library.path + ": manifest: expected an offer with a name of its own, found '" +
                                   offer.name + "', which driver '" + driver.manifest.id + "' has itself (option " +
                                   option.name + ")",
                               {}});
    }
  }
}

}  // namespace

Result<void> check_offered_names(const DriverFile& driver, const config::DriverSettings& settings) {
  std::vector<Error> problems;
  for (const OptionDeclaration& option : driver.manifest.options) {
    if (option.offers.empty()) continue;
    check_each_is_new(driver, option, problems);
    const Given list = given(option, driver.manifest, settings);
    if (list.names != nullptr) check_names(driver, option, list, problems);
  }
  return problems.empty() ? Result<void>() : joined(problems);
}

std::vector<std::string> guard_warnings(const Manifest& manifest, const config::DriverSettings& settings) {
  std::vector<std::string> warnings;
  for (const OptionDeclaration& option : manifest.options) {
    const Given list = given(option, manifest, settings);
    if (list.names == nullptr) continue;
    for (const OptionGuard& guard : option.guards) {
      const bool is_guarded = std::any_of(guard.choices.begin(), guard.choices.end(),
                                          [&](const std::string& choice) { return holds(*list.names, choice); });
      if (is_guarded) continue;
      std::string others;
      for (const std::string& choice : guard.choices) others.append(others.empty() ? "" : " or ").append(choice);
      warnings.push_back(list.origin + ": key '" + key_of(option, manifest) + "': " + guard.warning + "; " + others +
                         " would");
    }
  }
  return warnings;
}

}  // namespace gantry::drivers
