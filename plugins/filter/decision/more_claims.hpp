// SPDX-License-Identifier: Apache-2.0
//
// A view of the hosts as they are once further instances, each like the requested one, are claimed on each row. Shows
// the numbers of use. The lists of instances, the NUMA topologies and the PCI pools stay as they are.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <string_view>
#include <vector>

namespace filter_driver {

class more_claims {
 public:
  // The call's scratch memory holds the view.
  more_claims(gantry::call& call, const gantry::request& request);

  // The view with `claims[row]` more claims on each row, as the last show() was told. None at first.
  const gantry::view& view() const { return view_; }
  void show(const std::vector<double>& claims);

 private:
  struct number {
    const double* before;
    double* now;
    double amount;  // added by each claim
  };

  void add(gantry::call& call, const gantry::view& before, std::string_view name, double amount);

  gantry::view view_;
  std::vector<number> numbers_;
};

}  // namespace filter_driver
