// SPDX-License-Identifier: Apache-2.0
//
// The filters and weighers that the libraries of [driver.filter] offer, by name. Each has a rule like the
// built-in ones.
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
  // No library offers anything.
  offered_rules() = default;
  // Throws gantry::failure, invalid_argument, if an offer has the name of a built-in filter or weigher.
  explicit offered_rules(const gantry::offers& offers);

  // Returns the offer of that kind and name. nullptr if there is none.
  const gantry_offer_loaded* find(std::string_view kind, std::string_view name) const;
  // The built-in names come first.
  std::vector<std::string_view> filter_names() const;
  std::vector<std::string_view> weigher_names() const;

 private:
  std::vector<const gantry_offer_loaded*> offers_;
};

// The offer must outlive the rule and the filter or weigher. The `asking` of each question to them must not be nullptr.
filter_rule rule_of_offered_filter(const gantry_offer_loaded& offer);
std::unique_ptr<filter> make_offered_filter(const gantry_offer_loaded& offer);
weigher_rule rule_of_offered_weigher(const gantry_offer_loaded& offer);
std::unique_ptr<weigher> make_offered_weigher(const gantry_offer_loaded& offer);

}  // namespace filter_driver
