// SPDX-License-Identifier: Apache-2.0
//
// The filters and weighers that the configuration enables, in the order of the configuration.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "nova/options.hpp"
#include "policy/offered_rules.hpp"
#include "rules/filtering.hpp"
#include "rules/weighing.hpp"

namespace filter_driver {

class policy {
 public:
  // `offered` has the filters and weighers of other libraries. Throws gantry::failure, invalid_argument, if the
  // configuration names an unknown filter or weigher.
  explicit policy(settings options, const offered_rules& offered = {});

  const settings& options() const { return options_; }
  const std::vector<enabled_filter>& filters() const { return filters_; }
  const std::vector<weighing::entry>& weighers() const { return weighers_; }

 private:
  void add_filter(const std::string& name, const offered_rules& offered);
  void add_weigher(const std::string& name, const offered_rules& offered);

  settings options_;
  std::deque<filter_rule> offered_filters_;  // filters_ and weighers_ point to these rules of other libraries
  std::deque<weigher_rule> offered_weighers_;
  std::vector<std::unique_ptr<filter>> made_filters_;
  std::vector<std::unique_ptr<weigher>> made_weighers_;
  std::vector<enabled_filter> filters_;
  std::vector<weighing::entry> weighers_;
};

}  // namespace filter_driver
