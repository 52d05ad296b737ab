// SPDX-License-Identifier: Apache-2.0
//
// The configuration made: the enabled filters and weighers in their order.
#pragma once

#include <memory>
#include <vector>

#include "filtering.hpp"
#include "options.hpp"
#include "weighing.hpp"

namespace filter_driver {

class policy {
 public:
  // Throws gantry::failure that names an unknown filter or weigher.
  explicit policy(settings options);

  const settings& options() const { return options_; }
  const std::vector<enabled_filter>& filters() const { return filters_; }
  const std::vector<weighing::entry>& weighers() const { return weighers_; }

 private:
  settings options_;
  std::vector<std::unique_ptr<filter>> made_filters_;
  std::vector<std::unique_ptr<weigher>> made_weighers_;
  std::vector<enabled_filter> filters_;
  std::vector<weighing::entry> weighers_;
};

}  // namespace filter_driver
