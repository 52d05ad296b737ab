// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/row_claims.hpp"

#include <algorithm>
#include <cmath>

#include "core/fleet/tables/row_state.hpp"

namespace gantry::fleet {

namespace {

// As many items of at most this amount add up to less than 2^53, below which a double holds each whole number.
constexpr double largest_exact = 4294967296.0;
constexpr std::size_t most_exact = std::size_t{1} << 20U;

bool is_exact(double amount) {
  return std::abs(amount) <= largest_exact && amount == std::trunc(amount);
}

bool comes_before(const ClaimRecord* a, const ClaimRecord* b) {
  if (a->consumer_key != b->consumer_key) return a->consumer_key < b->consumer_key;
  return a->sequence < b->sequence;
}

struct ByConsumer {
  bool operator()(const ClaimRecord* claim, std::string_view key) const { return claim->consumer_key < key; }
  bool operator()(std::string_view key, const ClaimRecord* claim) const { return key < claim->consumer_key; }
};

double sum_of_items(const ClaimRecord& claim, std::string_view resource, double sum) {
  for (const ClaimItem& item : claim.claim.items) {
    if (item.resource == resource) sum += item.amount;
  }
  return sum;
}

auto position_of(std::string_view resource, auto& sums) {
  return std::lower_bound(sums.begin(), sums.end(), resource,
                          [](const auto& sum, std::string_view name) { return sum.resource < name; });
}

}  // namespace

void RowClaims::insert(ClaimRecord& claim) {
  claims_.insert(std::upper_bound(claims_.begin(), claims_.end(), &claim, comes_before), &claim);
  for (const ClaimItem& item : claim.claim.items) {
    auto sum = position_of(item.resource, sums_);
    if (sum == sums_.end() || sum->resource != item.resource) sum = sums_.insert(sum, Sum{item.resource, 0, 0, 0});
    ++sum->items;
    if (is_exact(item.amount))
      sum->exact += item.amount;
    else
      ++sum->inexact_items;
  }
}

void RowClaims::erase(ClaimRecord& claim) {
  const auto position = std::lower_bound(claims_.begin(), claims_.end(), &claim, comes_before);
  if (position == claims_.end() || *position != &claim) return;
  claims_.erase(position);
  for (const ClaimItem& item : claim.claim.items) {
    const auto sum = position_of(item.resource, sums_);
    if (is_exact(item.amount))
      sum->exact -= item.amount;
    else
      --sum->inexact_items;
    if (--sum->items == 0) sums_.erase(sum);
  }
}

void RowClaims::clear() {
  claims_.clear();
  sums_.clear();
}

std::span<ClaimRecord* const> RowClaims::of_consumer(std::string_view key) const {
  const auto [first, last] = std::equal_range(claims_.begin(), claims_.end(), key, ByConsumer());
  return {first, last};
}

double RowClaims::held(std::string_view resource, std::span<ClaimRecord* const> except) const {
  const auto sum = position_of(resource, sums_);
  if (sum == sums_.end() || sum->resource != resource) return 0;
  if (sum->inexact_items != 0 || sum->items > most_exact) return added_up(resource, except);
  double excepted = 0;
  for (const ClaimRecord* claim : except) excepted = sum_of_items(*claim, resource, excepted);
  return sum->exact - excepted;
}

double RowClaims::added_up(std::string_view resource, std::span<ClaimRecord* const> except) const {
  double sum = 0;
  for (const ClaimRecord* claim : claims_) {
    if (std::find(except.begin(), except.end(), claim) == except.end()) sum = sum_of_items(*claim, resource, sum);
  }
  return sum;
}

}  // namespace gantry::fleet
