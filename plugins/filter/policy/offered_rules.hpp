// SPDX-License-Identifier: Apache-2.0
//
// Filters and weighers that the libraries of [driver.filter] offer, as the driver's own: by name, each with a rule beside
// those of the registry.
#pragma once

#include <gantry/driver/offers.hpp>
#include <memory>
#include <string_view>
#include <vector>

#include "rules/filter.hpp"
#include "rules/weigher.hpp"

namespace filter_driver {

class offered_rules {
 public:
  // None.
  offered_rules() = default;
  // Throws gantry::failure, invalid_argument, where one has the name of a built-in filter or weigher.
  explicit offered_rules(const gantry::offers& offers);

  // nullptr: nothing of that kind has the name.
  const gantry_offer_loaded* find(std::string_view kind, std::string_view name) const;
  // The built-in ones first.
  std::vector<std::string_view> filter_names() const;
  std::vector<std::string_view> weigher_names() const;

 private:
  std::vector<const gantry_offer_loaded*> offers_;
};

// The offer lives longer than what is made of it. Questions to it have an `asking`.
filter_rule rule_of_offered_filter(const gantry_offer_loaded& offer);
std::unique_ptr<filter> make_offered_filter(const gantry_offer_loaded& offer);
weigher_rule rule_of_offered_weigher(const gantry_offer_loaded& offer);
std::unique_ptr<weigher> make_offered_weigher(const gantry_offer_loaded& offer);

}  // namespace filter_driver
