// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/judged_file.hpp"

#include <filesystem>

#include "core/cli/terminal/output.hpp"
#include "core/drivers/driver_check.hpp"

namespace gantry::cli {

namespace fs = std::filesystem;

Result<void> expect_shared_object(const std::string& path) {
  std::error_code none;
  const bool is_directory = fs::is_directory(path, none);
  if (!is_directory && fs::path(path).extension() != ".lua") return {};
  return Error{
      ErrorCode::invalid_configuration,
      path + ": expected a shared object, found " +
          (is_directory ? "a directory; `gantry driver build` makes the file and prints its path"
                        : "a policy in Lua, which needs no installation; `gantry driver dev` tries it, `gantry driver "
                          "test` grades it, and gantry-lua(7) has how to configure it"),
      ""};
}

Result<drivers::DriverFile> open_for_reading(const std::string& path) {
  if (auto expected = expect_shared_object(path); !expected) return std::move(expected).error();
  drivers::FileRules rules;
  rules.check_owner_and_mode = false;
  rules.kind = std::nullopt;
  return drivers::open_driver_file(path, rules);
}

std::vector<Error> daemon_problems(const drivers::DriverFile& file) {
  std::vector<Error> problems = drivers::linkage_problems(file.path);
  if (auto fits = drivers::check_abi(file.manifest, GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR); !fits)
    problems.push_back(std::move(fits).error().within(file.path));
  for (Error& problem : drivers::column_problems(file.manifest))
    problems.push_back(std::move(problem).within(file.path));
  return problems;
}

Result<drivers::DriverFile> judge_file(const std::string& path) {
  auto file = open_for_reading(path);
  if (!file) return file;
  std::string lines;
  for (const Error& problem : daemon_problems(*file)) lines.append(lines.empty() ? "" : "\n").append(problem.message);
  if (!lines.empty()) return Error{ErrorCode::invalid_configuration, lines, ""};
  return file;
}

std::string option_type_name(std::int32_t type) {
  switch (type) {
    case GANTRY_OPTION_BOOLEAN: return "boolean";
    case GANTRY_OPTION_INTEGER: return "integer";
    case GANTRY_OPTION_REAL: return "real";
    case GANTRY_OPTION_STRING: return "string";
    case GANTRY_OPTION_STRINGS: return "strings";
    case GANTRY_OPTION_TABLE: return "table";
    default: return "unknown";
  }
}

json::value option_default(const drivers::OptionDeclaration& option) {
  if (!option.default_value) return nullptr;
  return std::visit(
      [](const auto& value) -> json::value {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::vector<std::string>>) {
          return json::array(value.begin(), value.end());
        } else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) {
          json::object table;
          for (const auto& [key, text] : value) table[key] = text;
          return table;
        } else {
          return json::value(value);
        }
      },
      *option.default_value);
}

std::string abi_of(const drivers::Manifest& manifest) {
  return std::to_string(manifest.abi_major) + "." + std::to_string(manifest.abi_minor);
}

json::object facts_of(const drivers::DriverFile& file) {
  json::array serves;
  for (const std::string& topic : file.manifest.topics) serves.emplace_back(topic);
  json::array offers;
  for (const drivers::OfferDeclaration& offer : file.manifest.offers) offers.emplace_back(offer.name);
  const bool is_library = file.kind == drivers::FileKind::library;
  json::object facts{{"id", file.manifest.id},
                     {"kind", is_library ? "library" : "driver"},
                     {"version", file.manifest.version},
                     {"abi", abi_of(file.manifest)}};
  facts[is_library ? "offers" : "topics"] = is_library ? std::move(offers) : std::move(serves);
  facts["sha256"] = file.sha256;
  facts["build_id"] = file.build_id;
  facts["path"] = file.path;
  return facts;
}

void print_judged(Session& session, const drivers::DriverFile& file) {
  print_object(session, facts_of(file),
               {{"id", "id"},
                {"kind", "kind"},
                {"version", "version"},
                {"abi", "abi"},
                {"topics", "topics"},
                {"offers", "offers"},
                {"build id", "build_id"},
                {"path", "path"}});
  for (const std::string& warning : drivers::left_out_warnings(file.manifest)) print_warning(session, warning);
}

}  // namespace gantry::cli
