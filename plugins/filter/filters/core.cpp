// SPDX-License-Identifier: Apache-2.0
//
// CoreFilter (Icehouse to Stein): vcpus_total x ratio - vcpus_used must be the flavor's vcpus at least. The limit is
// left on the host before it is compared. Icehouse takes the ratio of the configuration, later releases the host's.
// From Ocata on an instance may not be larger than the host, whatever the ratio ("no overcommit against itself").
#include "filters/filters.hpp"

namespace filter_driver {

namespace {

class core_run final : public filter_run {
 public:
  explicit core_run(const question& asked)
      : hosts_(asked.hosts),
        wanted_(static_cast<double>(asked.request.flavor->vcpus)),
        fixed_ratio_(asked.options.compatibility == release::icehouse
                         ? std::optional<double>(asked.options.cpu_allocation_ratio)
                         : std::nullopt) {}

  void keep(const block& candidates) override {
    const double* const total = hosts_.vcpus_total.read(candidates.first, candidates.count, candidates.room(0));
    const double* const used = hosts_.vcpus_used.read(candidates.first, candidates.count, candidates.room(1));
    const double* const ratio =
        fixed_ratio_ ? nullptr
                     : hosts_.cpu_allocation_ratio.read(candidates.first, candidates.count, candidates.room(2));
    candidates.keep_where([&](std::uint32_t i) { return passes(total[i], used[i], ratio ? ratio[i] : *fixed_ratio_); });
  }

  void set_limits(std::uint32_t row, host_limits& limits) override {
    const double total = hosts_.vcpus_total[row];
    const double limit = total * (fixed_ratio_ ? *fixed_ratio_ : hosts_.cpu_allocation_ratio[row]);
    if (is_known(total) && limit > 0) limits.vcpu = limit;
  }

  std::optional<supply> supply_of(std::uint32_t row) override {
    const double ratio = fixed_ratio_ ? *fixed_ratio_ : hosts_.cpu_allocation_ratio[row];
    return supply{"vcpus", wanted_, hosts_.vcpus_total[row] * ratio - hosts_.vcpus_used[row]};
  }

 private:
  // A host that does not say how many it has passes.
  static bool is_known(double total) { return total == total && total != 0; }

  bool passes(double total, double used, double ratio) const {
    if (!is_known(total)) return true;
    const double limit = total * ratio;
    if (!fixed_ratio_ && limit > 0 && wanted_ > total) return false;
    return limit - used >= wanted_;
  }

  const host_table& hosts_;
  double wanted_;
  std::optional<double> fixed_ratio_;
};

class core final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    if (!asked.request.flavor) return nullptr;
    return std::make_unique<core_run>(asked);
  }
};

}  // namespace

const filter_rule core_filter{"CoreFilter", false, false, in_all, make_filter<core>};

}  // namespace filter_driver
