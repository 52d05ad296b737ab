// SPDX-License-Identifier: Apache-2.0
//
// The allocation candidates of a record, as the filter driver gets them.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <gantry/testing/fake_candidates.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hosts/left_candidates.hpp"

namespace filter_driver::parity {

class recorded_candidates {
 public:
  // `by_row`: for each row its candidates in Nova's order, each with `mappings`. nullptr: none. Refers to them.
  recorded_candidates(std::vector<const boost::json::array*> by_row, const pci_requests& requests);

  // The candidates between which a driver may choose. nullopt: they do not differ for the driver.
  const std::optional<gantry::testing::fake_candidates>& offered() const { return offered_; }
  bool has_any(std::uint32_t row) const { return by_row_[row] != nullptr && !by_row_[row]->empty(); }
  // Returns what the filters narrow, where Nova's filters do.
  std::unique_ptr<left_candidates> left(const pci_requests& requests);
  // Returns the number of the row's first candidate with these providers, by group of offered(). -1: it has none.
  int number_of(std::uint32_t row, const std::vector<std::string>& providers) const;
  // Returns the number of the first candidate that is left. -1: none.
  int first_left(std::uint32_t row, const left_candidates& left) const;

 private:
  std::vector<const boost::json::array*> by_row_;
  std::optional<gantry::testing::fake_candidates> offered_;
  std::vector<std::uint64_t> claimable_;
  gantry::testing::arena memory_;
  const gantry_candidates* raw_ = nullptr;
};

}  // namespace filter_driver::parity
