// SPDX-License-Identifier: Apache-2.0
//
// The allocation ratio of a host's capacity: the configured ratio by Icehouse's rules, the host's own ratio by the
// rules of later releases. For the Aggregate... filters, an aggregate of the host can override either ratio.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "rules/by_code.hpp"
#include "rules/filter.hpp"

namespace filter_driver {

class allocation_ratio {
 public:
  // `of_hosts`: the hosts' own ratios. `configured`: the ratio that Icehouse uses. `aggregate_key`: the key of the
  // aggregates' metadata that overrides the ratio. Empty: aggregates have no say.
  allocation_ratio(const question& asked, const number_column& of_hosts, double configured,
                   std::string_view aggregate_key);

  // Returns the ratios of the block's rows, either from the column or written to `room`.
  const double* read(const block& candidates, double* room);
  double operator[](std::uint32_t row);

 private:
  const number_column& of_hosts_;
  std::optional<double> configured_;
  std::unique_ptr<value_by_set<std::optional<double>>> by_set_;
};

}  // namespace filter_driver
