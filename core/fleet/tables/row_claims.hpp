// SPDX-License-Identifier: Apache-2.0
//
// The claims on one row of a topic's table, and what they hold together of each resource. A row may have thousands of
// claims, and each pick asks for these sums, so that RowClaims keeps them. Under the fleet's lock.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::fleet {

struct ClaimItem;
struct ClaimRecord;

class RowClaims {
 public:
  // Adds a claim, whose items must not change until it is erased.
  void insert(ClaimRecord& claim);
  void erase(ClaimRecord& claim);
  void clear();

  // Returns the claims, ordered by consumer, then by the time at which they were made.
  const std::vector<ClaimRecord*>& all() const { return claims_; }
  // Returns the claims of a consumer, oldest first. `key` is its ClaimRecord::consumer_key.
  std::span<ClaimRecord* const> of_consumer(std::string_view key) const;

  // Returns the amount of a resource that the claims hold together, without the claims `except` of this row.
  // Depends on the claims alone, never on the order in which they came and went.
  double held(std::string_view resource, std::span<ClaimRecord* const> except = {}) const;

 private:
  // Whole amounts of moderate size, whose sum is exact in any order, are summed here. Other amounts are only counted:
  // while there are any, held() adds up the claims in their order.
  struct Sum {
    std::string resource;
    double exact = 0;
    std::size_t items = 0;
    std::size_t inexact_items = 0;
  };

  double added_up(std::string_view resource, std::span<ClaimRecord* const> except) const;

  std::vector<ClaimRecord*> claims_;
  std::vector<Sum> sums_;  // sorted by resource; none without items
};

}  // namespace gantry::fleet
