// SPDX-License-Identifier: Apache-2.0
//
// By what a host's capacity counts: the configuration's ratio in Icehouse and Juno, the host's own from Liberty on. The
// Aggregate... filters let an aggregate of the host set it instead.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "rules/by_code.hpp"
#include "rules/filter.hpp"

namespace filter_driver {

class allocation_ratio {
 public:
  // `aggregate_key`: of the aggregates' metadata; empty: aggregates do not count.
  allocation_ratio(const question& asked, const number_column& of_hosts, double configured,
                   std::string_view aggregate_key);

  // The block's ratios: of the column, or in `room`.
  const double* read(const block& candidates, double* room);
  double operator[](std::uint32_t row);

 private:
  const number_column& of_hosts_;
  std::optional<double> configured_;
  std::unique_ptr<value_by_set<std::optional<double>>> by_set_;
};

}  // namespace filter_driver
