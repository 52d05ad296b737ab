// SPDX-License-Identifier: Apache-2.0
//
// DiskFilter (Icehouse to Stein): total_usable_disk_gb x 1024 x ratio, less what is used, must be the flavor's disks at
// least (root, ephemeral, swap); used is the total - free_disk_mb. A host that passes is left the limit, in GiB.
// Icehouse and Juno take the ratio of the configuration, later releases the host's. From Ocata on an instance may not be
// larger than the host.
#include <algorithm>

#include "filters/filters.hpp"
#include "filters/parts/allocation_ratio.hpp"
#include "filters/parts/capacity.hpp"

namespace filter_driver {

namespace {

class disk_run final : public filter_run {
 public:
  disk_run(const question& asked, std::string_view aggregate_key)
      : hosts_(asked.hosts),
        wanted_(disk_mb_wanted(asked)),
        enough_(enough_left_of(wanted_, asked)),
        within_itself_(asked.options.compatibility != release::icehouse),
        ratio_(asked, asked.hosts.disk_allocation_ratio, asked.options.disk_allocation_ratio, aggregate_key) {}

  void keep(const block& candidates) override {
    const double* const total =
        hosts_.total_usable_disk_gb.read(candidates.first, candidates.count, candidates.room(0));
    const double* const free = hosts_.free_disk_mb.read(candidates.first, candidates.count, candidates.room(1));
    const double* const ratio = ratio_.read(candidates, candidates.room(2));
    candidates.keep_where(
        [enough = enough_](auto total_gb, auto free_mb, auto of_total)
            __attribute__((always_inline)) { return enough(total_gb * 1024, free_mb, of_total); },
        total, free, ratio);
  }

  void set_limits(std::uint32_t row, host_limits& limits) override {
    const double total = hosts_.total_usable_disk_gb[row] * 1024;
    const double ratio = ratio_[row];
    if (enough_(total, hosts_.free_disk_mb[row], ratio)) limits.disk_gb = total * ratio / 1024;
  }

  std::optional<supply> supply_of(std::uint32_t row) override {
    const double total = hosts_.total_usable_disk_gb[row] * 1024;
    const double usable = total * ratio_[row] - (total - hosts_.free_disk_mb[row]);
    return supply{"MiB", wanted_, within_itself_ ? std::min(usable, total) : usable};
  }

 private:
  const host_table& hosts_;
  double wanted_;
  enough_left enough_;
  bool within_itself_;
  allocation_ratio ratio_;
};

class disk final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    flavor_for("DiskFilter", asked);
    return begin_disk(asked, {});
  }
};

}  // namespace

std::unique_ptr<filter_run> begin_disk(const question& asked, std::string_view aggregate_key) {
  return std::make_unique<disk_run>(asked, aggregate_key);
}

const filter_rule disk_filter{"DiskFilter", false, false, make_filter<disk>, "too little disk free"};

}  // namespace filter_driver
