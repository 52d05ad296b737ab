// SPDX-License-Identifier: Apache-2.0
//
// The file under test, in the process of one rule. The code of the file is loaded when a rule first asks for a unit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"
#include "gantry/ext/offers.h"

namespace gantry::conformance {

using OptionValues = std::map<std::string, config::OptionSource>;

// A decider: the driver of the file, or one filter or weigher of the library.
struct Unit {
  std::string name;
  const gantry_driver_ops* driver = nullptr;            // set for a driver
  const void* offer = nullptr;                          // set for an offer: the table of its kind
  const drivers::OfferDeclaration* declared = nullptr;  // set for an offer
  std::vector<drivers::ColumnUse> needs;
  std::vector<drivers::ColumnUse> columns;  // all that the manifest names, `needs` among them
  std::vector<drivers::OptionDeclaration> options;
  bool is_reentrant = false;
  bool decides_from_history = false;

  bool is_filter() const { return declared != nullptr && declared->kind == "gantry.filter/1"; }
};

class Subject {
 public:
  Subject(drivers::DriverFile file, OptionValues options, std::uint64_t seed)
      : file_(std::move(file)), options_(std::move(options)), seed_(seed) {}

  const drivers::DriverFile& file() const { return file_; }
  const drivers::Manifest& manifest() const { return file_.manifest; }
  bool is_library() const { return file_.kind == drivers::FileKind::library; }
  const OptionValues& options() const { return options_; }
  std::uint64_t seed() const { return seed_; }
  void use_seed(std::uint64_t seed) { seed_ = seed; }
  std::string topic() const;
  bool is_methods_alone() const;  // true for a driver without select_destinations

  // Loads the file at the first call. Ends the process with a message if the file cannot be loaded.
  const std::vector<Unit>& units();

 private:
  Result<void> load();

  drivers::DriverFile file_;
  OptionValues options_;
  std::uint64_t seed_;
  gantry_driver_ops operations_{};
  std::vector<Unit> units_;
};

}  // namespace gantry::conformance
