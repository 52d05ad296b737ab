// SPDX-License-Identifier: Apache-2.0
//
// Runs the enabled filters over the hosts for one instance of a request, block by block. Each filter judges only the
// hosts that the filters before it passed. Counts the hosts that go into and come out of each filter.
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
  const filter* made;  // the filter of this rule
};

class filtering {
 public:
  // One filter in the order of the configuration, with its counts of hosts.
  struct step {
    const filter_rule* rule = nullptr;
    std::unique_ptr<filter_run> run;  // nullptr if every host passes the filter
    std::uint64_t hosts_in = 0;
    std::uint64_t hosts_out = 0;
  };

  // `first` is true for the first instance of a request. For the other instances, filters that run once per request are
  // left out. `asked` must outlive this object.
  filtering(const std::vector<enabled_filter>& enabled, const question& asked, bool first);
  filtering(const std::vector<enabled_filter>& enabled, const question&& asked, bool first) = delete;

  // Call it before the first keep(). For each filter that judges all hosts in one call
  // (filter_run::judges_all_at_once), runs the filters before it on all rows, then calls its judge_all(). Clears the
  // rejected rows in `rows`, a bitmap of the candidates among `total` hosts. `rooms` is scratch memory, as
  // block::rooms.
  void keep_whole(std::vector<std::uint64_t>& rows, std::uint32_t total, double* rooms);
  // Runs the filters that keep_whole() has not run on all rows. Clears the rows of the block that a filter rejects.
  void keep(const block& candidates);

  const std::vector<step>& steps() const { return steps_; }
  // Sets the counts of all steps from cached results: `hosts_in` hosts went into the first step, and step i
  // rejected taken_out[i] hosts.
  void set_counts(std::uint64_t hosts_in, const std::vector<std::uint64_t>& taken_out);
  // Sets the limits that the filters have for the row. The limit of a later filter replaces that of an earlier one.
  void set_limits(std::uint32_t row, host_limits& limits) const;

 private:
  void keep(const block& candidates, std::size_t end);

  std::vector<step> steps_;
  std::size_t begin_ = 0;  // keep() starts at this step. The steps before this one have judged all hosts
};

}  // namespace filter_driver
