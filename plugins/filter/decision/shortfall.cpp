// SPDX-License-Identifier: Apache-2.0
#include "decision/shortfall.hpp"

#include <algorithm>

#include "rules/amount.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

// Words cost more than numbers, so that not every host of a large fleet is asked for them.
constexpr std::size_t most_hosts = 512;
constexpr std::size_t most_wishes = 3;

std::string wanted_text(const filter_run::supply& supply) {
  return amount(supply.need) + " " + std::string(unit_after(supply.need, supply.unit)) + " wanted, ";
}

}  // namespace

std::string shortfall_of(filter_run& run, std::uint32_t row) {
  if (const auto supply = run.supply_of(row)) return wanted_text(*supply) + amount(supply->best) + " there";
  const auto found = run.mismatch_of(row);
  return found ? found->wanted + " wanted, " + found->there + " there" : std::string();
}

bool shortfall::add(filter_run& run, std::uint32_t row) {
  if (const auto supply = run.supply_of(row)) {
    if (!best_ || supply->best > best_->best) best_ = supply;
    return true;
  }
  const auto found = run.mismatch_of(row);
  if (!found) return false;
  add(*found);
  return ++looked_ < most_hosts;
}

void shortfall::add(const filter_run::mismatch& found) {
  auto known =
      std::find_if(wishes_.begin(), wishes_.end(), [&found](const wish& each) { return each.wanted == found.wanted; });
  if (known == wishes_.end()) known = wishes_.insert(wishes_.end(), {found.wanted, {}});
  auto& there = known->there;
  if (std::find(there.begin(), there.end(), found.there) == there.end()) there.push_back(found.there);
}

std::string shortfall::text() const {
  if (best_) return wanted_text(*best_) + "at most " + amount(best_->best) + " on a host that came so far";
  std::string text;
  for (std::size_t at = 0; at < wishes_.size() && at < most_wishes; ++at)
    text += (at == 0 ? "" : "; ") + wishes_[at].wanted + " wanted, " + listed(wishes_[at].there) + " there";
  if (wishes_.size() > most_wishes) text += "; and more";
  return text;
}

}  // namespace filter_driver
