// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/judge/offer_libraries.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include "core/drivers/file/refusal.hpp"
#include "core/drivers/manifest/manifest_rules.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {
namespace {

std::string key_of(const config::DriverSettings& section, const std::string& driver) {
  return section.libraries_origin + ": key 'driver." + driver + ".libraries'";
}

Result<std::string> find_library_file(const config::Settings& settings, const std::string& name,
                                      const std::string& key) {
  std::string looked_for;
  for (const std::string& directory : settings.driver_directories) {
    std::string path = (std::filesystem::path(directory) / name).string();
    std::error_code failed;
    if (std::filesystem::exists(std::filesystem::symlink_status(path, failed))) return path;
    looked_for.append(looked_for.empty() ? "" : " or ").append(path);
  }
  return refuse(key, {"file", looked_for.empty() ? "'" + name + "' in one of driver_directories" : looked_for,
                      "no such file", "install the library there"});
}

Result<DriverFile> check_offer_library(const config::Settings& settings, const std::string& name,
                                       const std::string& key) {
  const Result<std::string> path = find_library_file(settings, name, key);
  if (!path) return path.error();
  FileRules rules;
  rules.kind = FileKind::library;
  Result<DriverFile> file = open_driver_file(*path, rules);
  if (!file) return file;
  if (Result<void> checked = check_abi(file->manifest, GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR); !checked) {
    return std::move(checked).error().within(*path);
  }
  if (file->manifest.id + ".so" != name) {
    return refuse(*path, {"id", "'" + name.substr(0, name.rfind('.')) + "', as the file is named",
                          "'" + file->manifest.id + "' in its manifest", "name the file <id>.so"});
  }
  return file;
}

// A column as somebody names it.
struct Naming {
  std::int32_t type = 0;
  std::string by;
};

// Merges the offers of all libraries into the driver's manifest, one at a time.
class Merge {
 public:
  Merge(Manifest& driver, std::string key) : driver_(driver), key_(std::move(key)) {
    for (const auto* list : {&driver.needs, &driver.uses})
      for (const ColumnUse& column : *list) columns_[column.name] = {column.type, "driver '" + driver.id + "'"};
  }

  Result<void> add(const OfferDeclaration& offer, const std::string& path) {
    const auto [first, is_new] = paths_.emplace(offer.name, path);
    if (!is_new) {
      return refuse(key_, {"offers", "each name once", "'" + offer.name + "' in " + first->second + " and in " + path,
                           "leave one of the two libraries out"});
    }
    for (const auto* list : {&offer.needs, &offer.uses}) {
      for (const ColumnUse& column : *list) {
        if (Result<void> added = add_column(column, offer, path); !added) return added;
      }
    }
    if (offer.threads == Threads::serial) driver_.threads = Threads::serial;
    return {};
  }

 private:
  Result<void> add_column(const ColumnUse& column, const OfferDeclaration& offer, const std::string& path) {
    const auto [other, is_new] =
        columns_.try_emplace(column.name, Naming{column.type, "'" + offer.name + "' of " + path});
    if (is_new) driver_.uses.push_back(column);
    if (other->second.type == column.type) return {};
    return refuse(path + ": offer '" + offer.name + "'",
                  {"columns",
                   "'" + column.name + "' as " + std::string(name_of_column_type(other->second.type)) + ", as " +
                       other->second.by + " names it",
                   std::string(name_of_column_type(column.type)), "let both agree, or leave the library out"});
  }

  Manifest& driver_;
  const std::string key_;
  std::map<std::string, std::string> paths_;  // offer -> its library
  std::map<std::string, Naming> columns_;
};

}  // namespace

Result<void> check_offer_libraries(const config::Settings& settings, const config::DriverSettings& section,
                                   DriverFile& driver) {
  const std::string key = key_of(section, driver.manifest.id);
  Merge merge(driver.manifest, key);
  for (const std::string& name : section.libraries) {
    Result<DriverFile> library = check_offer_library(settings, name, key);
    if (!library) return std::move(library).error();
    for (const OfferDeclaration& offer : library->manifest.offers) {
      if (Result<void> added = merge.add(offer, library->path); !added) return added;
    }
    driver.offer_libraries.push_back(*std::move(library));
  }
  return {};
}

}  // namespace gantry::drivers
