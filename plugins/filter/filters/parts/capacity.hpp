// SPDX-License-Identifier: Apache-2.0
//
// The rules that a filter shares with its Aggregate... form, which differ in nothing but where the ratio or the limit
// comes from. `aggregate_key`: of the aggregates' metadata; empty: aggregates do not count.
#pragma once

#include <limits>
#include <memory>
#include <string_view>

#include "rules/filter.hpp"

namespace filter_driver {

std::unique_ptr<filter_run> begin_core(const question& asked, std::string_view aggregate_key);    // core.cpp
std::unique_ptr<filter_run> begin_ram(const question& asked, std::string_view aggregate_key);     // ram.cpp
std::unique_ptr<filter_run> begin_disk(const question& asked, std::string_view aggregate_key);    // disk.cpp
std::unique_ptr<filter_run> begin_io_ops(const question& asked, std::string_view aggregate_key);  // io_ops.cpp
std::unique_ptr<filter_run> begin_num_instances(const question& asked,
                                                std::string_view aggregate_key);  // num_instances.cpp

// The flavor's, in MiB: root and ephemeral disk, which count even where the root disk is a volume, and swap.
double disk_mb_wanted(const question& asked);

// Throws where the request has no flavor: "RamFilter: the request has no flavor".
const flavor_facts& flavor_for(std::string_view filter, const question& asked);

// What RamFilter and DiskFilter ask: that much is left of total x ratio, and (from Ocata on) the host has that much.
struct enough_left {
  double wanted;
  double least_total;  // below all numbers: any total will do

  template <class Number>
  [[gnu::always_inline]] auto operator()(Number total, Number free, Number ratio) const {
    return (total >= least_total) & (total * ratio - (total - free) >= wanted);
  }
};

inline enough_left enough_left_of(double wanted, const question& asked) {
  constexpr double any = -std::numeric_limits<double>::infinity();
  return {wanted, asked.options.compatibility == release::icehouse ? any : wanted};
}

}  // namespace filter_driver
