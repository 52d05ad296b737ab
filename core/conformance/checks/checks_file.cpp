// SPDX-License-Identifier: Apache-2.0
//
// Rules about the file and its manifest. None of them runs code of the file.
#include <cmath>
#include <filesystem>
#include <set>

#include "core/conformance/checks/checks.hpp"
#include "core/conformance/subject.hpp"
#include "core/drivers/driver_check.hpp"
#include "core/drivers/manifest/option_value.hpp"

namespace gantry::conformance {
namespace {

using drivers::OptionDeclaration;

// Returns the first option for which `is_wrong` holds, with its offer. Empty if there is none.
template <class IsWrong>
std::string wrong_option_of(const Subject& subject, const IsWrong& is_wrong) {
  for (const OptionDeclaration& option : subject.manifest().options)
    if (is_wrong(option)) return "option '" + option.name + "'";
  for (const drivers::OfferDeclaration& offer : subject.manifest().offers)
    for (const OptionDeclaration& option : offer.options)
      if (is_wrong(option)) return "option '" + option.name + "' of " + offer.name;
  return {};
}

Verdict links_cleanly(Subject& subject) {
  const auto problems = drivers::linkage_problems(subject.file().path);
  return problems.empty() ? Verdict{} : failed("a file that the daemon's linker rules admit", problems.front().message);
}

Verdict fits_this_host(Subject& subject) {
  const auto fits = drivers::check_abi(subject.manifest(), GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR);
  return fits ? Verdict{} : failed("a driver for the ABI of this host", fits.error().message);
}

Verdict columns_exist(Subject& subject) {
  const auto problems = drivers::column_problems(subject.manifest());
  return problems.empty() ? Verdict{} : failed("columns of the core, or ones with a type", problems.front().message);
}

Verdict file_named_by_id(Subject& subject) {
  const std::string stem = std::filesystem::path(subject.file().path).stem().string();
  if (stem == subject.manifest().own_id()) return {};
  return failed("the name " + subject.manifest().own_id() + ".so", stem + ".so");
}

Verdict has_build_id(Subject& subject) {
  return subject.file().build_id.empty() ? failed("a build id (-Wl,--build-id)", "none") : Verdict{};
}

Verdict is_described(Subject& subject) {
  return subject.manifest().description.empty() ? failed("a description in the manifest", "none") : Verdict{};
}

Verdict is_licensed(Subject& subject) {
  return subject.manifest().license.empty() ? failed("a license in the manifest", "none") : Verdict{};
}

Verdict names_its_vendor(Subject& subject) {
  return subject.manifest().vendor.empty() ? failed("a vendor in the manifest", "none") : Verdict{};
}

Verdict version_has_three_numbers(Subject& subject) {
  const std::string& version = subject.manifest().version;
  std::size_t parts = 1;
  bool is_good = !version.empty() && version.front() != '.';
  for (const char c : version.substr(0, version.find_first_of("-+"))) {
    parts += c == '.' ? 1 : 0;
    is_good = is_good && (c == '.' || (c >= '0' && c <= '9'));
  }
  return is_good && parts == 3 ? Verdict{} : failed("a version of three numbers, such as 1.0.2", "'" + version + "'");
}

Verdict options_have_help(Subject& subject) {
  const std::string wrong =
      wrong_option_of(subject, [](const OptionDeclaration& option) { return option.help.empty(); });
  return wrong.empty() ? Verdict{} : failed("a help text for each option", wrong + " has none");
}

Verdict defaults_within_bounds(Subject& subject) {
  const std::string wrong = wrong_option_of(subject, [](const OptionDeclaration& option) {
    return option.default_value && option.offers.empty() && drivers::check_value(option, *option.default_value);
  });
  return wrong.empty() ? Verdict{} : failed("defaults that the declaration itself allows", wrong);
}

Verdict numbers_have_bounds(Subject& subject) {
  const std::string wrong = wrong_option_of(subject, [](const OptionDeclaration& option) {
    const bool is_number = option.type == GANTRY_OPTION_INTEGER;
    return is_number && option.choices.empty() && (!option.minimum || !option.maximum);
  });
  return wrong.empty() ? Verdict{} : failed("a minimum and a maximum for each integer", wrong + " lacks one");
}

Verdict offers_have_help(Subject& subject) {
  if (!subject.is_library()) return not_applicable("the file is a driver");
  for (const drivers::OfferDeclaration& offer : subject.manifest().offers)
    if (offer.help.empty()) return failed("a help text for each offer", offer.name + " has none");
  return {};
}

Verdict columns_named_once(Subject& subject) {
  const auto twice = [](const std::vector<drivers::ColumnUse>& needs, const std::vector<drivers::ColumnUse>& uses) {
    std::set<std::string> seen;
    for (const auto* list : {&needs, &uses})
      for (const drivers::ColumnUse& use : *list)
        if (!seen.insert(use.name).second) return use.name;
    return std::string();
  };
  std::string found = twice(subject.manifest().needs, subject.manifest().uses);
  for (const drivers::OfferDeclaration& offer : subject.manifest().offers)
    if (found.empty()) found = twice(offer.needs, offer.uses);
  return found.empty() ? Verdict{} : failed("each column once, in needs or in uses", "'" + found + "' twice");
}

Verdict entry_can_be_called_again(Subject& subject) {
  const auto first = subject.units().size();
  drivers::FileRules read_only;
  read_only.check_owner_and_mode = false;
  read_only.kind = std::nullopt;
  auto file = drivers::open_driver_file(subject.file().path, read_only);
  if (!file) return failed("a file that stays as it is", file.error().message);
  Subject again(*std::move(file), subject.options(), subject.seed());
  return again.units().size() == first ? Verdict{} : failed("the same answer of the entry", "another one");
}

}  // namespace

std::vector<Rule> file_rules() {
  return {
      {"links-cleanly", Grade::bronze, "The file exports its entry alone and is linked as the daemon's rules say",
       "Text relocations, an executable stack, RUNPATH and static TLS weaken or break the process that loads the file.",
       "linking without the version script of the SDK", "driver.h, convention 11; loading.md", links_cleanly},
      {"fits-this-host", Grade::bronze, "The file was built for an ABI that this host loads",
       "A host refuses a file whose ABI it does not know.", "needs_minor above the host's minor",
       "driver.h, convention 9", fits_this_host},
      {"columns-exist", Grade::bronze, "The manifest names columns that exist",
       "A start fails for a column without a type that the core does not have.", "needs = ['vcpu']", "manifest.md",
       columns_exist},
      {"file-named-by-id", Grade::gold, "The file is called <id>.so", "The daemon finds a driver by its id.",
       "id = 'first_fit' in rank.so", "loading.md", file_named_by_id},
      {"has-build-id", Grade::gold, "The file has a build id",
       "Crash reports and debug symbols are matched by the build id.", "-Wl,--build-id=none", "loading.md",
       has_build_id},
      {"is-described", Grade::gold, "The manifest has a description", "`gantry driver inspect` shows the description.",
       "a manifest with id and version alone", "manifest.md", is_described},
      {"is-licensed", Grade::gold, "The manifest names a licence", "Operators must know on which terms they run code.",
       "a manifest without `license`", "manifest.md", is_licensed},
      {"names-its-vendor", Grade::gold, "The manifest names its vendor", "Operators must know whom they can ask.",
       "a manifest without `vendor`", "manifest.md", names_its_vendor},
      {"version-has-three-numbers", Grade::gold, "The version has three numbers",
       "Operators compare versions by their numbers.", "version = 'latest'", "manifest.md", version_has_three_numbers},
      {"options-have-help", Grade::gold, "Each option has a help text",
       "`gantry driver inspect` is the page that operators read.", "[options.reserve] without `help`", "manifest.md",
       options_have_help},
      {"defaults-within-bounds", Grade::bronze, "Each default is a value that its option allows",
       "A default that the configuration could not set surprises everybody.", "default = 0 with minimum = 1",
       "manifest.md", defaults_within_bounds},
      {"numbers-have-bounds", Grade::gold, "Each integer option has a minimum and a maximum",
       "The host refuses a wrong number with a sentence, before the driver sees it.",
       "[options.reserve] type = 'integer' without `maximum`", "manifest.md", numbers_have_bounds},
      {"offers-have-help", Grade::gold, "Each filter and weigher has a help text",
       "Operators choose offers by their help texts.", "[offers.RackFilter] without `help`", "ext/offers.h",
       offers_have_help},
      {"columns-named-once", Grade::silver, "No column is in the manifest twice",
       "A column in needs and uses is needed: the second line misleads.", "needs = ['up'], uses = ['up']",
       "manifest.md", columns_named_once},
      {"entry-called-again", Grade::silver, "The entry gives the same answer when it is called again",
       "The host may call the entry more than once.", "an entry that returns NULL the second time",
       "driver.h, convention 11", entry_can_be_called_again},
  };
}

}  // namespace gantry::conformance
