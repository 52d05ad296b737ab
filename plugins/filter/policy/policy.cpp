// SPDX-License-Identifier: Apache-2.0
#include "policy/policy.hpp"

#include <gantry/driver/failure.hpp>
#include <string>
#include <utility>

#include "policy/registry.hpp"

namespace filter_driver {

policy::policy(settings options, const offered_rules& offered) : options_(std::move(options)) {
  for (const auto& name : options_.enabled_filters) add_filter(name, offered);
  for (const auto& name : options_.weight_classes) add_weigher(name, offered);
}

void policy::add_filter(const std::string& name, const offered_rules& offered) {
  if (const auto* const rule = find_filter(name)) {
    filters_.push_back({rule, made_filters_.emplace_back(rule->make(options_)).get()});
    return;
  }
  const auto* const offer = offered.find(GANTRY_FILTER_KIND, name);
  if (offer == nullptr)
    throw gantry::failure(gantry::code::invalid_argument, "enabled_filters: no filter '" + name + "'");
  filters_.push_back({&offered_filters_.emplace_back(rule_of_offered_filter(*offer)),
                      made_filters_.emplace_back(make_offered_filter(*offer)).get()});
}

void policy::add_weigher(const std::string& name, const offered_rules& offered) {
  if (const auto* const rule = find_weigher(name)) {
    weighers_.push_back({rule, made_weighers_.emplace_back(rule->make(options_)).get()});
    return;
  }
  const auto* const offer = offered.find(GANTRY_WEIGHER_KIND, name);
  if (offer == nullptr)
    throw gantry::failure(gantry::code::invalid_argument, "weight_classes: no weigher '" + name + "'");
  weighers_.push_back({&offered_weighers_.emplace_back(rule_of_offered_weigher(*offer)),
                       made_weighers_.emplace_back(make_offered_weigher(*offer)).get()});
}

}  // namespace filter_driver
