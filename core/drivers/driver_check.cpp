// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/driver_check.hpp"

#include "core/drivers/judge/driver_files.hpp"
#include "core/drivers/judge/option_check.hpp"
#include "core/drivers/manifest/manifest_rules.hpp"
#include "core/fleet/tables/schema.hpp"

namespace gantry::drivers {
namespace {

Error wrong_column(const Manifest& manifest, const std::string& column, const std::string& why) {
  return Error{
      ErrorCode::invalid_configuration, "driver '" + manifest.id + "' names column '" + column + "'" + why, {}};
}

}  // namespace

const config::DriverSettings& DriverCheck::section_of(const std::string& id) const {
  const auto found = settings_.drivers.find(id);
  return found == settings_.drivers.end() ? no_section_ : found->second;
}

Result<void> DriverCheck::check_columns(const Manifest& manifest) const {
  for (const auto* list : {&manifest.needs, &manifest.uses}) {
    for (const ColumnUse& column : *list) {
      if (column.type == 0) {
        if (fleet::is_core_column_name(column.name)) continue;
        return wrong_column(manifest, column.name,
                            ", which is not one of the core's; a reported field is named stats.NAME:type");
      }
      const auto other = declared_.find(column.name);
      if (other == declared_.end() || other->second.first == column.type) continue;
      return wrong_column(manifest, column.name,
                          " as " + std::string(name_of_column_type(column.type)) + ", but driver '" +
                              other->second.second + "' names it as " +
                              std::string(name_of_column_type(other->second.first)) +
                              "; make both manifests agree, or leave one of the two drivers out");
    }
  }
  return {};
}

Result<void> DriverCheck::check(const CheckedFile& driver) {
  if (!driver.file) return driver.file.error();
  const Manifest& manifest = driver.file->manifest;
  if (Result<void> checked = check_options(manifest, section_of(driver.id)); !checked) return checked;
  if (Result<void> checked = check_offer_options(*driver.file, section_of(driver.id)); !checked) return checked;
  if (Result<void> checked = check_offered_names(*driver.file, section_of(driver.id)); !checked) return checked;
  if (Result<void> checked = check_columns(manifest); !checked) return std::move(checked).error().within(driver.path);
  for (const auto* list : {&manifest.needs, &manifest.uses})
    for (const ColumnUse& column : *list)
      if (column.type != 0) declared_.try_emplace(column.name, column.type, manifest.id);
  return {};
}

std::vector<std::string> DriverCheck::warnings(const CheckedFile& driver) const {
  return guard_warnings(driver.file->manifest, section_of(driver.id));
}

CheckedDrivers check_drivers(const config::Settings& settings) {
  CheckedDrivers checked;
  std::vector<CheckedFile> files = check_driver_files(settings);
  if (Result<void> distinct = check_topics(files); !distinct) checked.problems.push_back(std::move(distinct).error());
  DriverCheck check(settings);
  for (CheckedFile& driver : files) {
    Result<void> accepted = check.check(driver);
    if (accepted) {
      for (std::string& warning : check.warnings(driver)) checked.warnings.push_back(std::move(warning));
      checked.drivers.push_back(std::move(driver));
    } else if (check.section_of(driver.id).required) {
      checked.problems.push_back(std::move(accepted).error());
    } else {
      checked.warnings.push_back("driver " + driver.id +
                                 " is not required and would be left out: " + accepted.error().message);
    }
  }
  return checked;
}

}  // namespace gantry::drivers
