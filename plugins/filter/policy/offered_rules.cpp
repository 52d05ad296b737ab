// SPDX-License-Identifier: Apache-2.0
#include "policy/offered_rules.hpp"

#include <algorithm>
#include <gantry/driver/failure.hpp>
#include <string>

#include "policy/registry.hpp"

namespace filter_driver {

namespace {

void check_name(const gantry_offer_loaded& offer) {
  const auto name = gantry::text(offer.name);
  const bool is_filter = find_filter(name) != nullptr;
  if (!is_filter && find_weigher(name) == nullptr) return;
  throw gantry::failure(gantry::code::invalid_argument,
                        "library '" + std::string(gantry::text(offer.library)) + "' offers '" + std::string(name) +
                            "', which is the name of a " + (is_filter ? "filter" : "weigher") +
                            " of the driver's own; another name is wanted");
}

}  // namespace

offered_rules::offered_rules(const gantry::offers& offers) {
  offers_.reserve(offers.size());
  for (std::size_t index = 0; index < offers.size(); ++index) {
    check_name(offers[index]);
    offers_.push_back(&offers[index]);
  }
}

const gantry_offer_loaded* offered_rules::find(std::string_view kind, std::string_view name) const {
  const auto found = std::find_if(offers_.begin(), offers_.end(), [&](const auto* offer) {
    return gantry::text(offer->kind) == kind && gantry::text(offer->name) == name;
  });
  return found == offers_.end() ? nullptr : *found;
}

std::vector<std::string_view> offered_rules::filter_names() const {
  std::vector<std::string_view> names;
  names.reserve(filter_rules().size() + offers_.size());
  for (const auto* const rule : filter_rules()) names.push_back(rule->name);
  for (const auto* const offer : offers_) {
    if (gantry::text(offer->kind) == GANTRY_FILTER_KIND) names.push_back(gantry::text(offer->name));
  }
  return names;
}

std::vector<std::string_view> offered_rules::weigher_names() const {
  std::vector<std::string_view> names;
  names.reserve(weigher_rules().size() + offers_.size());
  for (const auto* const rule : weigher_rules()) names.push_back(rule->name);
  for (const auto* const offer : offers_) {
    if (gantry::text(offer->kind) == GANTRY_WEIGHER_KIND) names.push_back(gantry::text(offer->name));
  }
  return names;
}

}  // namespace filter_driver
