// SPDX-License-Identifier: Apache-2.0
//
// Describes in one sentence what the hosts that a filter rejected lack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/filter.hpp"

namespace filter_driver {

// Returns what one rejected host lacks: "2 vcpus wanted, 1 there". Empty if the filter's run says nothing of single
// hosts.
std::string shortfall_of(filter_run& run, std::uint32_t row);

// The sentence about many hosts: "2 vcpus wanted, at most 1 on a host that came so far" or "zone 'a' wanted, 'b' and
// 'c' there".
class shortfall {
 public:
  // Looks at a host that `run` rejected. Returns false once further hosts add nothing: the run says nothing of single
  // hosts, or enough hosts were looked at.
  bool add(filter_run& run, std::uint32_t row);
  // Empty if no host said anything.
  std::string text() const;

 private:
  struct wish {
    std::string wanted;
    std::vector<std::string> there;
  };

  void add(const filter_run::mismatch& found);

  std::optional<filter_run::supply> best_;
  std::vector<wish> wishes_;
  std::size_t looked_ = 0;  // number of hosts that gave a mismatch
};

}  // namespace filter_driver
