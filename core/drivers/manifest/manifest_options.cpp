// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/manifest/manifest_options.hpp"

#include <algorithm>
#include <utility>

#include "core/drivers/manifest/manifest_rules.hpp"
#include "core/drivers/manifest/offer_kinds.hpp"
#include "core/drivers/manifest/option_value.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {
namespace {

Result<void> check_bounds(const ManifestTable& table, const OptionDeclaration& option, bool strict) {
  const bool is_number = option.type == GANTRY_OPTION_INTEGER || option.type == GANTRY_OPTION_REAL;
  const bool is_text = option.type == GANTRY_OPTION_STRING || option.type == GANTRY_OPTION_STRINGS;
  const std::string type(option_type_name(option.type));
  for (const auto& [key, bound] : {std::pair("minimum", option.minimum), std::pair("maximum", option.maximum)}) {
    if (bound && !is_number) return table.wrong(key, "it on an option of type integer or real only", "type " + type);
  }
  if (option.minimum && option.maximum && *option.minimum > *option.maximum) {
    return table.wrong("minimum", "at most the maximum", "more than it");
  }
  if (!option.choices.empty() && !is_text) {
    return table.wrong("choices", "it on an option of type string or strings only", "type " + type);
  }
  if (!option.offers.empty() && option.type != GANTRY_OPTION_STRINGS) {
    return table.wrong("offers", "it on an option of type strings only", "type " + type);
  }
  // left_out_warnings tells of a kind of a later ABI.
  if (strict && !option.offers.empty() && !is_offer_kind(option.offers)) {
    return table.wrong("offers", "one of " + offer_kinds_text() + ", which this host knows", "'" + option.offers + "'");
  }
  return {};
}

Result<void> read_guards(const ManifestTable& table, OptionDeclaration& option, bool strict) {
  Result<const toml::table*> guards = table.table("guards");
  if (!guards) return std::move(guards).error();
  if (*guards == nullptr) return {};
  if (option.type != GANTRY_OPTION_STRINGS) {
    return table.wrong("guards", "them on an option of type strings only",
                       "type " + std::string(option_type_name(option.type)));
  }
  const ManifestTable all(**guards, table.full_name("guards") + ".");
  for (const auto& [key, node] : all.content()) {
    Result<const toml::table*> one = all.table(key.str());
    if (!one) return std::move(one).error();
    const ManifestTable guard(**one, all.full_name(key.str()) + ".");
    if (strict) {
      if (Result<void> checked = guard.check_keys({"choices", "warning"}); !checked) return checked;
    }
    OptionGuard& read = option.guards.emplace_back();
    if (Result<void> done = guard.read("choices", true, read.choices); !done) return done;
    if (Result<void> done = guard.read("warning", true, read.warning); !done) return done;
  }
  return {};
}

Result<void> read_option_columns(const ManifestTable& table, OptionDeclaration& option) {
  std::vector<std::string> names;
  if (Result<void> read = table.read("columns", false, names); !read) return read;
  for (const std::string& name : names) {
    ColumnUse& column = option.columns.emplace_back();
    const auto refusal = parse_column(name, column);
    if (refusal || column.type != 0)
      return table.wrong("columns", refusal ? refusal->expected : "columns of the core's own", "'" + name + "'");
  }
  return {};
}

Result<void> read_kind(const ManifestTable& table, OptionDeclaration& option, bool strict) {
  std::string kind;
  if (Result<void> read = table.read("kind", false, kind); !read || kind.empty()) return read;
  option.is_file = kind == "file" && option.type == GANTRY_OPTION_STRING;
  if (option.is_file || !strict) return {};
  if (kind != "file") return table.wrong("kind", "'file'", "'" + kind + "'");
  return table.wrong("kind", "it on an option of type string only",
                     "type " + std::string(option_type_name(option.type)));
}

Result<void> check_default(const ManifestTable& table, const OptionDeclaration& option) {
  if (!option.default_value) {
    if (option.required) return {};
    return table.wrong("default", "a value, or required = true", "neither");
  }
  if (option.required) return table.wrong("required", "no default where a value must be given", "both");
  if (const auto misfit = check_value(option, *option.default_value)) {
    return table.wrong("default", misfit->expected, misfit->found);
  }
  return {};
}

Result<OptionDeclaration> read_option(const ManifestTable& table, std::string name, bool strict) {
  if (strict) {
    Result<void> checked = table.check_keys({"type", "default", "help", "minimum", "maximum", "choices", "offers",
                                             "guards", "columns", "kind", "required"});
    if (!checked) return std::move(checked).error();
  }
  OptionDeclaration option;
  option.name = std::move(name);
  std::string type;
  if (Result<void> read = table.read("type", true, type); !read) return std::move(read).error();
  option.type = option_type(type);
  if (option.type == 0) {
    return table.wrong("type", "one of boolean, integer, real, string, strings, table", "'" + type + "'");
  }
  if (Result<void> read = table.read("help", true, option.help); !read) return std::move(read).error();
  if (Result<void> read = table.read("minimum", option.minimum); !read) return std::move(read).error();
  if (Result<void> read = table.read("maximum", option.maximum); !read) return std::move(read).error();
  if (Result<void> read = table.read("choices", false, option.choices); !read) return std::move(read).error();
  if (Result<void> read = table.read("offers", false, option.offers); !read) return std::move(read).error();
  if (Result<void> read = read_guards(table, option, strict); !read) return std::move(read).error();
  if (Result<void> read = read_option_columns(table, option); !read) return std::move(read).error();
  if (Result<void> read = read_kind(table, option, strict); !read) return std::move(read).error();
  if (Result<void> read = table.read("required", false, option.required); !read) return std::move(read).error();
  if (Result<void> read = table.read("default", option.default_value); !read) return std::move(read).error();
  if (Result<void> checked = check_bounds(table, option, strict); !checked) return std::move(checked).error();
  if (Result<void> checked = check_default(table, option); !checked) return std::move(checked).error();
  return option;
}

}  // namespace

Result<std::vector<OptionDeclaration>> read_options(const ManifestTable& options, bool strict) {
  std::vector<std::pair<toml::source_position, OptionDeclaration>> found;
  for (const auto& [key, node] : options.content()) {
    const std::string name(key.str());
    if (!is_id(name)) return options.wrong(name, "letters, digits, _ and - in an option's name", "'" + name + "'");
    if (is_core_key(name)) {
      return options.wrong(
          name,
          "a name that is not one of the core's own keys path, required, sha256, isolation, libraries, options, "
          "deadline_ms, fallback, memory_limit, cpu_limit",
          "'" + name + "'");
    }
    if (is_hosts_name(name)) {
      return options.wrong(name, "a name that does not begin with gantry_, which is the host's", "'" + name + "'",
                           "give the option another name");
    }
    Result<const toml::table*> table = options.table(name);
    if (!table) return std::move(table).error();
    Result<OptionDeclaration> option = read_option(ManifestTable(**table, options.full_name(name) + "."), name, strict);
    if (!option) return std::move(option).error();
    found.emplace_back(key.source().begin, *std::move(option));
  }
  // TOML tables are sorted by key; people and gantry_options want the author's order.
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& left, const auto& right) { return left.first < right.first; });
  std::vector<OptionDeclaration> declarations;
  declarations.reserve(found.size());
  for (auto& [position, option] : found) declarations.push_back(std::move(option));
  return declarations;
}

}  // namespace gantry::drivers
