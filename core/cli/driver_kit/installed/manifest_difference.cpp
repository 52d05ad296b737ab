// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/installed/manifest_difference.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "core/cli/driver_kit/judged_file.hpp"
#include "core/drivers/file/elf_file.hpp"
#include "core/drivers/file/file_content.hpp"

namespace gantry::cli {

namespace {

using drivers::Manifest;
using drivers::OptionDeclaration;
using NameSet = std::set<std::string>;

std::string joined(const NameSet& names) {
  std::string text;
  for (const std::string& name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

NameSet without(const NameSet& names, const NameSet& others) {
  NameSet left;
  std::ranges::set_difference(names, others, std::inserter(left, left.end()));
  return left;
}

NameSet names_of(const std::vector<drivers::ColumnUse>& columns) {
  NameSet names;
  for (const drivers::ColumnUse& column : columns) names.insert(column.name);
  return names;
}

NameSet methods_of(const Manifest& manifest) {
  NameSet names;
  for (const auto& [topic, methods] : manifest.methods)
    for (const std::string& method : methods) names.insert(topic + "." + method);
  return names;
}

template <class Declarations>
auto by_name(const Declarations& declarations) {
  std::map<std::string, const typename Declarations::value_type*> found;
  for (const auto& declaration : declarations) found[declaration.name] = &declaration;
  return found;
}

std::string bound(const std::optional<double>& value) {
  return value ? json::write(json::value(*value)) : "";
}

class Comparison {
 public:
  Comparison(const drivers::DriverFile& before, const drivers::DriverFile& after)
      : before_(before), after_(after), section_("driver." + after.manifest.id) {}

  Result<FileDifferences> run() {
    compare_identity();
    compare_service();
    compare_columns("", before_.manifest.needs, before_.manifest.uses, after_.manifest.needs, after_.manifest.uses);
    compare_options("", section_, before_.manifest.options, after_.manifest.options);
    compare_offers();
    if (auto compared = compare_code(); !compared) return std::move(compared).error();
    if (before_.sha256 != after_.sha256)
      duty("`gantry driver install " + after_.path + " --restart` installs and loads it; a sha256 in [" + section_ +
           "] has to follow");
    return std::move(found_);
  }

 private:
  void duty(std::string sentence) { found_.duties.push_back(std::move(sentence)); }

  bool differs(std::string what, const std::string& before, const std::string& after) {
    if (before == after) return false;
    found_.differences.push_back({std::move(what), before, after});
    return true;
  }

  // Notes what one set has and the other has not. Returns what is new.
  NameSet compare_names(const std::string& what, const NameSet& before, const NameSet& after) {
    const NameSet gone = without(before, after);
    NameSet added = without(after, before);
    differs(what, joined(gone), joined(added));
    return added;
  }

  void compare_identity() {
    const Manifest& before = before_.manifest;
    const Manifest& after = after_.manifest;
    if (differs("id", before.id, after.id))
      duty("the files are of different drivers: the configuration has to name " + after.id);
    differs("kind", before.is_library ? "library" : "driver", after.is_library ? "library" : "driver");
    differs("version", before.version, after.version);
    differs("abi", abi_of(before), abi_of(after));
    differs("needs_minor", std::to_string(before.needs_minor), std::to_string(after.needs_minor));
    if (auto fits = drivers::check_abi(after, GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR); !fits)
      duty("this version of Gantry refuses it: " + fits.error().message);
  }

  void compare_service() {
    const Manifest& before = before_.manifest;
    const Manifest& after = after_.manifest;
    const NameSet topics_before{before.topics.begin(), before.topics.end()};
    const NameSet topics_after{after.topics.begin(), after.topics.end()};
    for (const std::string& topic : compare_names("topics", topics_before, topics_after))
      duty("no other driver may serve the topic " + topic + " any more");
    for (const std::string& topic : without(topics_before, topics_after))
      duty("the topic " + topic + " needs another driver");
    compare_names("methods", methods_of(before), methods_of(after));
    for (const std::string& method : without(methods_of(before), methods_of(after)))
      duty("callers of " + method + " get the error unsupported");
    const auto threads = [](drivers::Threads one) { return one == drivers::Threads::serial ? "serial" : "reentrant"; };
    if (differs("threads", threads(before.threads), threads(after.threads)) &&
        after.threads == drivers::Threads::serial)
      duty("requests wait for each other: measure before it serves");
    if (differs("decides_from", std::string(name_of(before.decides_from)), std::string(name_of(after.decides_from))) &&
        after.decides_from == drivers::DecidesFrom::history)
      duty("its decisions can no longer be made again to explain them");
  }

  void compare_columns(const std::string& whose, const std::vector<drivers::ColumnUse>& needs_before,
                       const std::vector<drivers::ColumnUse>& uses_before,
                       const std::vector<drivers::ColumnUse>& needs_after,
                       const std::vector<drivers::ColumnUse>& uses_after) {
    for (const std::string& column :
         compare_names(whose + "columns needed", names_of(needs_before), names_of(needs_after)))
      duty("hosts that do not report " + column + " are passed over: have the agents report it first");
    compare_names(whose + "columns used", names_of(uses_before), names_of(uses_after));
  }

  void compare_options(const std::string& whose, const std::string& section,
                       const std::vector<OptionDeclaration>& before, const std::vector<OptionDeclaration>& after) {
    const auto old_options = by_name(before);
    const auto new_options = by_name(after);
    for (const auto& [name, option] : old_options)
      if (!new_options.contains(name)) {
        differs(whose + "option " + name, option_type_name(option->type), "");
        duty("take " + section + "." + name + " out of the configuration, which is refused otherwise");
      }
    for (const auto& [name, option] : new_options) {
      const auto old = old_options.find(name);
      if (old != old_options.end()) {
        compare_option(whose + "option " + name, section + "." + name, *old->second, *option);
        continue;
      }
      differs(whose + "option " + name, "", option_type_name(option->type));
      if (option->required) duty("set " + section + "." + name + ", which has no default");
    }
  }

  void compare_option(const std::string& what, const std::string& key, const OptionDeclaration& before,
                      const OptionDeclaration& after) {
    const std::string old_default = json::write(option_default(before));
    if (differs(what + ", default", old_default, json::write(option_default(after))))
      duty(after.required && !before.required
               ? "set " + key + ", which has no default any more"
               : "where " + key + " is not set, another value holds; set " + old_default + " to keep the old one");
    bool is_narrower = differs(what + ", type", option_type_name(before.type), option_type_name(after.type));
    is_narrower |= differs(what + ", minimum", bound(before.minimum), bound(after.minimum));
    is_narrower |= differs(what + ", maximum", bound(before.maximum), bound(after.maximum));
    is_narrower |= differs(what + ", choices", joined({before.choices.begin(), before.choices.end()}),
                           joined({after.choices.begin(), after.choices.end()}));
    if (is_narrower) duty("check that the value of " + key + " still holds: `gantry config check`");
  }

  void compare_offers() {
    const auto old_offers = by_name(before_.manifest.offers);
    const auto new_offers = by_name(after_.manifest.offers);
    for (const auto& [name, offer] : old_offers)
      if (!new_offers.contains(name)) {
        differs("offer " + name, offer->kind, "");
        duty("take " + name + " out of the options of the driver that names it");
      }
    for (const auto& [name, offer] : new_offers) {
      const auto old = old_offers.find(name);
      if (old == old_offers.end()) {
        differs("offer " + name, "", offer->kind);
        continue;
      }
      differs("offer " + name + ", kind", old->second->kind, offer->kind);
      compare_columns("offer " + name + ", ", old->second->needs, old->second->uses, offer->needs, offer->uses);
      compare_options("offer " + name + ", ", "driver.filter.options." + name, old->second->options, offer->options);
    }
  }

  static Result<drivers::ElfFile> elf_of(const drivers::DriverFile& file) {
    const auto content = drivers::read_content(file.descriptor.number(), file.path);
    if (!content) return content.error();
    return drivers::read_elf(*content, file.path);
  }

  Result<void> compare_code() {
    const NameSet needed_before{before_.libraries.begin(), before_.libraries.end()};
    for (const std::string& library :
         compare_names("libraries", needed_before, {after_.libraries.begin(), after_.libraries.end()}))
      duty("install " + library + " in a system directory of each machine that runs it");
    const auto before = elf_of(before_);
    if (!before) return before.error();
    const auto after = elf_of(after_);
    if (!after) return after.error();
    compare_names("symbols needed", {before->undefined.begin(), before->undefined.end()},
                  {after->undefined.begin(), after->undefined.end()});
    differs("build id", before_.build_id, after_.build_id);
    differs("sha256", before_.sha256, after_.sha256);
    return {};
  }

  const drivers::DriverFile& before_;
  const drivers::DriverFile& after_;
  const std::string section_;
  FileDifferences found_;
};

}  // namespace

Result<FileDifferences> compare_files(const drivers::DriverFile& before, const drivers::DriverFile& after) {
  return Comparison(before, after).run();
}

}  // namespace gantry::cli
