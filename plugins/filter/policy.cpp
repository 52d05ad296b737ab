// SPDX-License-Identifier: Apache-2.0
#include "policy.hpp"

#include <gantry/driver/failure.hpp>
#include <string>
#include <utility>

#include "registry.hpp"

namespace filter_driver {

policy::policy(settings options) : options_(std::move(options)) {
  for (const auto& name : options_.enabled_filters) {
    const auto* const rule = find_filter(name);
    if (rule == nullptr)
      throw gantry::failure(gantry::code::invalid_argument, "enabled_filters: no filter '" + name + "'");
    filters_.push_back({rule, made_filters_.emplace_back(rule->make(options_)).get()});
  }
  for (const auto& name : options_.weight_classes) {
    const auto* const rule = find_weigher(name);
    if (rule == nullptr)
      throw gantry::failure(gantry::code::invalid_argument, "weight_classes: no weigher '" + name + "'");
    weighers_.push_back({rule, made_weighers_.emplace_back(rule->make(options_)).get()});
  }
}

}  // namespace filter_driver
