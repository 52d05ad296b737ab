// SPDX-License-Identifier: Apache-2.0
//
// Runs the enabled filters over the hosts of one request, block by block. Each filter judges the hosts that the filters
// before it passed. The number of hosts that go into and come out of each filter is counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "rules/filter.hpp"

namespace filter_driver {

// A filter that the configuration enables.
struct enabled_filter {
  const filter_rule* rule;
  const filter* made;
};

class filtering {
 public:
  struct step {
    const filter_rule* rule = nullptr;
    std::unique_ptr<filter_run> run;  // nullptr if every host passes
    std::uint64_t hosts_in = 0;
    std::uint64_t hosts_out = 0;
  };

  // `first` is true for the first instance of a request. For the other instances, filters that run once per request are
  // left out. `asked` must outlive this object.
  filtering(const std::vector<enabled_filter>& enabled, const question& asked, bool first);
  filtering(const std::vector<enabled_filter>& enabled, const question&& asked, bool first) = delete;

  // Call it before the first keep(). Runs the filters up to the last one that reads whole columns: each filter before
  // it judges all rows. `rows` is a bitmap of the candidates among `total` hosts. `rooms` is as in block.
  void keep_whole(std::vector<std::uint64_t>& rows, std::uint32_t total, double* rooms);
  // Clears the rows of the block that a filter rejects.
  void keep(const block& candidates);

  const std::vector<step>& steps() const { return steps_; }
  // Sets the counts of all steps from cached results: `hosts_in` hosts went into the first step, and the step i
  // rejected taken_out[i] hosts.
  void set_counts(std::uint64_t hosts_in, const std::vector<std::uint64_t>& taken_out);
  void set_limits(std::uint32_t row, host_limits& limits) const;

 private:
  void keep(const block& candidates, std::size_t end);

  std::vector<step> steps_;
  std::size_t begin_ = 0;  // keep() starts at this step. The steps before it have judged all hosts
};

}  // namespace filter_driver
