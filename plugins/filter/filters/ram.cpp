// SPDX-License-Identifier: Apache-2.0
//
// RamFilter (Icehouse to Stein): total_usable_ram_mb x ratio, less what is used, must be the flavor's memory_mb at least;
// used is total_usable_ram_mb - free_ram_mb. A host that passes is left the limit. Icehouse and Juno take the ratio of
// the configuration, later releases the host's. From Ocata on an instance may not be larger than the host.
#include <algorithm>

#include "filters/filters.hpp"
#include "filters/parts/allocation_ratio.hpp"
#include "filters/parts/capacity.hpp"

namespace filter_driver {

namespace {

class ram_run final : public filter_run {
 public:
  ram_run(const question& asked, std::string_view aggregate_key)
      : hosts_(asked.hosts),
        wanted_(static_cast<double>(asked.request.flavor->memory_mb)),
        enough_(enough_left_of(wanted_, asked)),
        within_itself_(asked.options.compatibility != release::icehouse),
        ratio_(asked, asked.hosts.ram_allocation_ratio, asked.options.ram_allocation_ratio, aggregate_key) {}

  void keep(const block& candidates) override {
    const double* const total = hosts_.total_usable_ram_mb.read(candidates.first, candidates.count, candidates.room(0));
    const double* const free = hosts_.free_ram_mb.read(candidates.first, candidates.count, candidates.room(1));
    const double* const ratio = ratio_.read(candidates, candidates.room(2));
    candidates.keep_where(enough_, total, free, ratio);
  }

  void set_limits(std::uint32_t row, host_limits& limits) override {
    const double total = hosts_.total_usable_ram_mb[row];
    const double ratio = ratio_[row];
    if (enough_(total, hosts_.free_ram_mb[row], ratio)) limits.memory_mb = total * ratio;
  }

  std::optional<supply> supply_of(std::uint32_t row) override {
    const double total = hosts_.total_usable_ram_mb[row];
    const double usable = total * ratio_[row] - (total - hosts_.free_ram_mb[row]);
    return supply{"MiB", wanted_, within_itself_ ? std::min(usable, total) : usable};
  }

 private:
  const host_table& hosts_;
  double wanted_;
  enough_left enough_;
  bool within_itself_;
  allocation_ratio ratio_;
};

class ram final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    flavor_for("RamFilter", asked);
    return begin_ram(asked, {});
  }
};

}  // namespace

std::unique_ptr<filter_run> begin_ram(const question& asked, std::string_view aggregate_key) {
  return std::make_unique<ram_run>(asked, aggregate_key);
}

const filter_rule ram_filter{"RamFilter", false, false, make_filter<ram>, "too little memory free"};

}  // namespace filter_driver
