// SPDX-License-Identifier: Apache-2.0
//
// ExactDiskFilter (Juno to Queens): the flavor's disks (root, ephemeral, swap) must be free_disk_mb, no less and no
// more. Ocata leaves a host that passes the limit total_usable_disk_gb, Juno none.
#include "filters/filters.hpp"
#include "filters/parts/capacity.hpp"

namespace filter_driver {

namespace {

class exact_disk_run final : public filter_run {
 public:
  explicit exact_disk_run(const question& asked)
      : hosts_(asked.hosts),
        wanted_(disk_mb_wanted(asked)),
        leaves_limits_(asked.options.compatibility->exact_filters_leave_limits) {}

  void keep(const block& candidates) override {
    const double* const free = hosts_.free_disk_mb.read(candidates.first, candidates.count, candidates.room(0));
    candidates.keep_where(
        [wanted = wanted_](auto left) __attribute__((always_inline)) { return left == wanted; }, free);
  }

  void set_limits(std::uint32_t row, host_limits& limits) override {
    if (leaves_limits_ && hosts_.free_disk_mb[row] == wanted_) limits.disk_gb = hosts_.total_usable_disk_gb[row];
  }

  // A resource that passes is used up, or untouched by a claim of nothing.
  claims_effect effect_of_claims() const override { return claims_effect::falls; }
  std::optional<supply> supply_of(std::uint32_t row) override {
    return supply{"MiB", wanted_, hosts_.free_disk_mb[row]};
  }

 private:
  const host_table& hosts_;
  double wanted_;
  bool leaves_limits_;
};

class exact_disk final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    flavor_for("ExactDiskFilter", asked);
    return std::make_unique<exact_disk_run>(asked);
  }
};

}  // namespace

const filter_rule exact_disk_filter{"ExactDiskFilter", false, false, make_filter<exact_disk>,
                                    "not exactly as much disk free as asked for"};

}  // namespace filter_driver
