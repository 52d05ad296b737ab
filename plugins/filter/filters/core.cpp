// SPDX-License-Identifier: Apache-2.0
//
// CoreFilter (Icehouse to Stein): vcpus_total x ratio - vcpus_used must be at least the flavor's vcpus. A host that
// does not report vcpus_total passes. The limit is set on the host before the comparison. Icehouse and Juno use the
// configured ratio, later releases the host's. From Ocata on an instance may not be larger than the host, even if the
// ratio allows it ("no overcommit against itself"). By the rules of Zed, whose placement service judges vCPUs, a host
// without vcpus_total has no room.
#include <algorithm>
#include <limits>

#include "filters/filters.hpp"
#include "filters/parts/allocation_ratio.hpp"
#include "filters/parts/capacity.hpp"

namespace filter_driver {

namespace {

constexpr double none_too_small = -std::numeric_limits<double>::infinity();

struct enough_cores {
  double wanted;
  double least_total;
  bool unknown_passes;  // true: a host that does not report its total passes

  template <class Number>
  [[gnu::always_inline]] auto operator()(Number total, Number used, Number ratio) const {
    const Number limit = total * ratio;
    const auto unknown = (total != total) | (total == 0);
    return (unknown_passes & unknown) | (((total >= least_total) | (limit <= 0)) & (limit - used >= wanted));
  }
};

class core_run final : public filter_run {
 public:
  core_run(const question& asked, std::string_view aggregate_key)
      : hosts_(asked.hosts),
        wanted_(static_cast<double>(asked.request.flavor->vcpus)),
        within_itself_(asked.options.compatibility->an_instance_fits_the_whole_host),
        unknown_passes_(!judges_as_placement(asked)),
        ratio_(asked, asked.hosts.cpu_allocation_ratio, asked.options.cpu_allocation_ratio, aggregate_key) {}

  void keep(const block& candidates) override {
    const double* const total = hosts_.vcpus_total.read(candidates.first, candidates.count, candidates.room(0));
    const double* const used = hosts_.vcpus_used.read(candidates.first, candidates.count, candidates.room(1));
    const double* const ratio = ratio_.read(candidates, candidates.room(2));
    candidates.keep_where(enough_cores{wanted_, within_itself_ ? wanted_ : none_too_small, unknown_passes_}, total,
                          used, ratio);
  }

  void set_limits(std::uint32_t row, host_limits& limits) override {
    const double total = hosts_.vcpus_total[row];
    const double limit = total * ratio_[row];
    if (is_known(total) && limit > 0) limits.vcpu = limit;
  }

  claims_effect effect_of_claims() const override { return claims_effect::falls; }
  std::optional<supply> supply_of(std::uint32_t row) override {
    const double total = hosts_.vcpus_total[row];
    const double limit = total * ratio_[row];
    const double free = limit - hosts_.vcpus_used[row];
    return supply{"vcpus", wanted_, within_itself_ && limit > 0 ? std::min(free, total) : free};
  }

 private:
  static bool is_known(double total) { return (total == total) & (total != 0); }

  const host_table& hosts_;
  double wanted_;
  bool within_itself_;
  bool unknown_passes_;
  allocation_ratio ratio_;
};

class core final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override { return begin_core(asked, {}); }
};

}  // namespace

std::unique_ptr<filter_run> begin_core(const question& asked, std::string_view aggregate_key) {
  if (!asked.request.flavor) return nullptr;
  if (asked.request.flavor->vcpus == 0 && judges_as_placement(asked)) return nullptr;
  return std::make_unique<core_run>(asked, aggregate_key);
}

const filter_rule core_filter{"CoreFilter", false, false, make_filter<core>, "too few vCPUs free"};

}  // namespace filter_driver
