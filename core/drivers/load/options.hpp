// SPDX-License-Identifier: Apache-2.0
//
// The options that a driver or an offer (a filter or weigher) gets at its create: all declared options, in the
// manifest's order. An option that is not set has its default.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/manifest/manifest.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

// Owns the table and all texts in it. The settings must have passed check_options or check_offer_options.
class Options {
 public:
  Options(const std::vector<OptionDeclaration>& declared, const std::map<std::string, config::OptionSource>& settings);
  Options(const Manifest& manifest, const config::DriverSettings& settings)
      : Options(manifest.options, settings.options) {}
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  const gantry_options* table() const { return &table_; }

 private:
  gantry_option make(const OptionDeclaration& declaration, const config::OptionValue& value);
  gantry_string keep(const std::string& text);

  std::deque<std::string> texts_;
  std::deque<std::vector<gantry_string>> lists_;
  std::deque<std::vector<gantry_pair>> tables_;
  std::vector<gantry_option> options_;
  gantry_options table_{};
};

}  // namespace gantry::drivers
