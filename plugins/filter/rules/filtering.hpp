// SPDX-License-Identifier: Apache-2.0
//
// The enabled filters over the hosts of one request, block by block, each asked for what the ones before it left, and
// how many each let in and out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "rules/filter.hpp"

namespace filter_driver {

// A filter of the configuration, made.
struct enabled_filter {
  const filter_rule* rule;
  const filter* made;
};

class filtering {
 public:
  struct step {
    const filter_rule* rule = nullptr;
    std::unique_ptr<filter_run> run;  // nullptr: all pass
    std::uint64_t hosts_in = 0;
    std::uint64_t hosts_out = 0;
  };

  // `first`: of a request's instances; for the others, filters that run once a request are not asked. `asked` outlives
  // this.
  filtering(const std::vector<enabled_filter>& enabled, const question& asked, bool first);
  filtering(const std::vector<enabled_filter>& enabled, const question&& asked, bool first) = delete;

  // Before the first keep(): the filters that see whole columns, and those in front of them. `rows`: a bitmap of all
  // hosts, `total` of them; `rooms` as in block.
  void keep_whole(std::vector<std::uint64_t>& rows, std::uint32_t total, double* rooms);
  // Clears the rows of the block that do not pass.
  void keep(const block& candidates);

  const std::vector<step>& steps() const { return steps_; }
  // Of hosts that were judged before: so many came in, and so many each step has taken out.
  void set_counts(std::uint64_t hosts_in, const std::vector<std::uint64_t>& taken_out);
  void set_limits(std::uint32_t row, host_limits& limits) const;

 private:
  void keep(const block& candidates, std::size_t end);

  std::vector<step> steps_;
  std::size_t begin_ = 0;  // the steps before it have been through with all hosts
};

}  // namespace filter_driver
