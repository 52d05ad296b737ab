// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/driver_check.hpp"

#include <algorithm>

#include "core/drivers/file/refusal.hpp"
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

std::vector<Error> column_problems(const Manifest& manifest) {
  std::vector<Error> problems;
  const auto check = [&](const std::vector<ColumnUse>& columns) {
    for (const ColumnUse& column : columns) {
      if (column.type != 0 || fleet::is_core_column_name(column.name)) continue;
      problems.push_back(wrong_column(manifest, column.name,
                                      ", which is not one of the core's; a reported field is named stats.NAME:type"));
    }
  };
  check(manifest.needs);
  check(manifest.uses);
  for (const OptionDeclaration& option : manifest.options) check(option.columns);
  for (const OfferDeclaration& offer : manifest.offers) {
    check(offer.needs);
    check(offer.uses);
  }
  return problems;
}

std::vector<Error> DriverCheck::type_conflicts(const Manifest& manifest) const {
  std::vector<Error> problems;
  for (const auto* list : {&manifest.needs, &manifest.uses}) {
    for (const ColumnUse& column : *list) {
      const auto other = declared_.find(column.name);
      if (column.type == 0 || other == declared_.end() || other->second.first == column.type) continue;
      problems.push_back(wrong_column(manifest, column.name,
                                      " as " + std::string(name_of_column_type(column.type)) + ", but driver '" +
                                          other->second.second + "' names it as " +
                                          std::string(name_of_column_type(other->second.first)) +
                                          "; make both manifests agree, or leave one of the two drivers out"));
    }
  }
  return problems;
}

Result<void> DriverCheck::check(const CheckedFile& driver) {
  if (!driver.file) return driver.file.error();
  const Manifest& manifest = driver.file->manifest;
  std::vector<Error> problems;
  const auto add = [&problems](Result<void> checked) {
    if (!checked) problems.push_back(std::move(checked).error());
  };
  add(check_options(manifest, section_of(driver.id)));
  add(check_offer_options(*driver.file, section_of(driver.id)));
  add(check_offered_names(*driver.file, section_of(driver.id)));
  for (Error& problem : column_problems(manifest)) add(std::move(problem).within(driver.path));
  for (Error& problem : type_conflicts(manifest)) add(std::move(problem).within(driver.path));
  if (!problems.empty()) return joined(problems);
  for (const auto* list : {&manifest.needs, &manifest.uses})
    for (const ColumnUse& column : *list)
      if (column.type != 0) declared_.try_emplace(column.name, column.type, manifest.id);
  return {};
}

std::vector<std::string> DriverCheck::warnings(const CheckedFile& driver) const {
  std::vector<std::string> warnings;
  for (const std::string& warning : left_out_warnings(driver.file->manifest))
    warnings.push_back(driver.path + ": " + warning);
  for (const DriverFile& library : driver.file->offer_libraries) {
    for (const std::string& warning : left_out_warnings(library.manifest))
      warnings.push_back(library.path + ": " + warning);
  }
  // A Nova deployment has its placement service see to what options guard.
  if (settings_.nova.is_configured()) return warnings;
  for (std::string& warning : guard_warnings(driver.file->manifest, section_of(driver.id)))
    warnings.push_back(std::move(warning));
  return warnings;
}

namespace {

// The whole judgement of one driver that needs no code of it.
Result<void> judge(DriverCheck& check, const CheckedFile& driver, const Prepare& prepare) {
  if (Result<void> accepted = check.check(driver); !accepted) return accepted;
  if (!prepare) return {};
  Result<void> prepared = prepare(driver.file->manifest);
  if (!prepared) return std::move(prepared).error().within(driver.path);
  return {};
}

}  // namespace

namespace {

Error wrong_fallback(const config::DriverSettings& section, const std::string& id, const std::string& expected,
                     const std::string& found) {
  return Error{ErrorCode::invalid_configuration,
               section.origin + ": key 'driver." + id + ".fallback': expected " + expected + ", found " + found,
               {}};
}

// A fallback decides in the daemon itself, about the topics of the driver that it stands in for.
Result<void> check_stand_in(DriverCheck& check, const CheckedFile& fallback, const CheckedFile& driver,
                            const config::DriverSettings& section) {
  const bool asks = fallback.file->manifest.isolation != config::Isolation::none;
  if (asks && !check.section_of(fallback.id).isolation)
    return wrong_fallback(section, driver.id, "a driver without isolation",
                          "'" + fallback.id + "', whose manifest asks for a process of its own; driver." + fallback.id +
                              ".isolation = 'none' keeps it in the daemon");
  const auto& topics = fallback.file->manifest.topics;
  for (const auto& topic : driver.file->manifest.topics) {
    if (std::find(topics.begin(), topics.end(), topic) != topics.end()) continue;
    return wrong_fallback(section, driver.id, "a driver for topic '" + topic + "'",
                          "'" + fallback.id + "', which does not serve it");
  }
  return {};
}

Result<void> add_fallback(const config::Settings& settings, DriverCheck& check, const Prepare& prepare,
                          const CheckedFile& driver, const std::vector<CheckedFile>& drivers,
                          std::vector<CheckedFile>& fallbacks) {
  const auto& section = check.section_of(driver.id);
  const std::string& id = section.fallback;
  if (id == driver.id) return wrong_fallback(section, driver.id, "another driver", "'" + id + "' itself");
  const auto isolation = check.section_of(id).isolation.value_or(config::Isolation::none);
  if (!check.section_of(id).fallback.empty() || isolation != config::Isolation::none)
    return wrong_fallback(section, driver.id, "a driver without isolation and fallback of its own", "'" + id + "'");
  for (const auto* known : {&drivers, &std::as_const(fallbacks)}) {
    const auto found = std::ranges::find(*known, id, &CheckedFile::id);
    if (found != known->end()) return check_stand_in(check, *found, driver, section);
  }
  // One that is not required may have been left out.
  if (std::ranges::find(settings.scheduler_driver, id) != settings.scheduler_driver.end()) return {};
  CheckedFile fallback = check_driver_file(settings, id);
  if (Result<void> accepted = judge(check, fallback, prepare); !accepted) return accepted;
  if (Result<void> accepted = check_stand_in(check, fallback, driver, section); !accepted) return accepted;
  fallbacks.push_back(std::move(fallback));
  return {};
}

}  // namespace

CheckedDrivers check_drivers(const config::Settings& settings, const Prepare& prepare) {
  CheckedDrivers checked;
  std::vector<CheckedFile> files = check_driver_files(settings);
  if (Result<void> distinct = check_topics(settings, files); !distinct) {
    checked.problems.push_back(std::move(distinct).error());
  }
  DriverCheck check(settings);
  for (CheckedFile& driver : files) {
    Result<void> accepted = judge(check, driver, prepare);
    if (accepted) {
      for (std::string& warning : check.warnings(driver)) checked.warnings.push_back(std::move(warning));
      checked.drivers.push_back(std::move(driver));
    } else if (check.section_of(driver.id).required) {
      checked.problems.push_back(std::move(accepted).error());
    } else {
      checked.skipped.emplace_back(driver.id, std::move(accepted).error());
    }
  }
  for (const CheckedFile& driver : checked.drivers) {
    if (check.section_of(driver.id).fallback.empty()) continue;
    Result<void> added = add_fallback(settings, check, prepare, driver, checked.drivers, checked.fallbacks);
    if (!added) checked.problems.push_back(std::move(added).error());
  }
  return checked;
}

}  // namespace gantry::drivers
