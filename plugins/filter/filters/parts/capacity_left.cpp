// SPDX-License-Identifier: Apache-2.0
#include "filters/parts/capacity_left.hpp"

#include <algorithm>
#include <limits>

#include "filters/parts/allocation_ratio.hpp"
#include "filters/parts/capacity.hpp"

namespace filter_driver {

namespace {

// Checks whether the wanted amount is left. Amounts are in MiB.
struct enough_left {
  double wanted;
  double least_total;  // minus infinity: every total is enough

  template <class Number>
  [[gnu::always_inline]] auto operator()(Number total, Number free, Number ratio) const {
    return (total >= least_total) & (total * ratio - (total - free) >= wanted);
  }
};

class capacity_left_run final : public filter_run {
 public:
  capacity_left_run(const question& asked, double wanted, const host_resource& resource, std::string_view aggregate_key)
      : resource_(resource),
        within_total_(asked.options.compatibility->an_instance_fits_the_whole_host),
        enough_{wanted, within_total_ ? wanted : -std::numeric_limits<double>::infinity()},
        ratio_(asked, resource.ratio, resource.configured_ratio, aggregate_key) {}

  void keep(const block& candidates) override {
    const double* const total = resource_.total.read(candidates.first, candidates.count, candidates.room(0));
    const double* const free = resource_.free.read(candidates.first, candidates.count, candidates.room(1));
    const double* const ratio = ratio_.read(candidates, candidates.room(2));
    candidates.keep_where(
        [ enough = enough_, unit = resource_.mib_per_unit ](auto in_units, auto free_mib, auto of_total)
            __attribute__((always_inline)) { return enough(in_units * unit, free_mib, of_total); },
        total, free, ratio);
  }

  void set_limits(std::uint32_t row, host_limits& limits) override {
    const double total = total_mib(row);
    const double ratio = ratio_[row];
    if (enough_(total, resource_.free[row], ratio)) limits.*resource_.limit = total * ratio / resource_.mib_per_unit;
  }

  claims_effect effect_of_claims() const override { return claims_effect::falls; }
  std::optional<supply> supply_of(std::uint32_t row) override {
    const double total = total_mib(row);
    const double usable = total * ratio_[row] - (total - resource_.free[row]);
    return supply{"MiB", enough_.wanted, within_total_ ? std::min(usable, total) : usable};
  }

 private:
  double total_mib(std::uint32_t row) const { return resource_.total[row] * resource_.mib_per_unit; }

  host_resource resource_;
  bool within_total_;
  enough_left enough_;
  allocation_ratio ratio_;
};

}  // namespace

std::unique_ptr<filter_run> begin_capacity_left(const question& asked, double wanted_mib, const host_resource& resource,
                                                std::string_view aggregate_key) {
  if (wanted_mib == 0 && judges_as_placement(asked)) return nullptr;
  return std::make_unique<capacity_left_run>(asked, wanted_mib, resource, aggregate_key);
}

}  // namespace filter_driver
