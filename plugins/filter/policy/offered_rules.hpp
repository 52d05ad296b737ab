// SPDX-License-Identifier: Apache-2.0
//
// The filters and weighers of other libraries, by name. Operators name the libraries in the option `libraries` of
// [driver.filter]. Each offered filter or weigher gets a rule, as the built-in ones have.
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
  // Has no offers.
  offered_rules() = default;
  // Throws gantry::failure, invalid_argument, if an offer has the name of a built-in filter or weigher.
  explicit offered_rules(const gantry::offers& offers);

  // Returns the offer of that kind (GANTRY_FILTER_KIND, GANTRY_WEIGHER_KIND) and name. nullptr if there is none.
  const gantry_offer_loaded* find(std::string_view kind, std::string_view name) const;
  // Return the names of the built-in filters or weighers, then those that libraries offer.
  std::vector<std::string_view> filter_names() const;
  std::vector<std::string_view> weigher_names() const;

 private:
  std::vector<const gantry_offer_loaded*> offers_;
};

// Return the rule of an offer, and the filter or weigher itself. The offer must outlive both. Each question to an
// offered filter or weigher must have its member `with` set.
filter_rule rule_of_offered_filter(const gantry_offer_loaded& offer);
std::unique_ptr<filter> make_offered_filter(const gantry_offer_loaded& offer);
weigher_rule rule_of_offered_weigher(const gantry_offer_loaded& offer);
std::unique_ptr<weigher> make_offered_weigher(const gantry_offer_loaded& offer);

}  // namespace filter_driver
