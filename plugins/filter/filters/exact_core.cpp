// SPDX-License-Identifier: Apache-2.0
//
// ExactCoreFilter (Juno to Queens): the flavor's vcpus must be what is left of vcpus_total, no less and no more. A host
// that does not say how many it has fails. Ocata leaves a host that passes the limit vcpus_total, Juno none.
#include "filters/filters.hpp"
#include "filters/parts/capacity.hpp"

namespace filter_driver {

namespace {

struct exactly {
  double wanted;

  template <class Number>
  [[gnu::always_inline]] auto operator()(Number total, Number used) const {
    return (total != 0) & (total - used == wanted);
  }
};

class exact_core_run final : public filter_run {
 public:
  explicit exact_core_run(const question& asked)
      : hosts_(asked.hosts),
        wanted_(static_cast<double>(asked.request.flavor->vcpus)),
        leaves_limits_(asked.options.compatibility->exact_filters_leave_limits) {}

  void keep(const block& candidates) override {
    const double* const total = hosts_.vcpus_total.read(candidates.first, candidates.count, candidates.room(0));
    const double* const used = hosts_.vcpus_used.read(candidates.first, candidates.count, candidates.room(1));
    candidates.keep_where(exactly{wanted_}, total, used);
  }

  void set_limits(std::uint32_t row, host_limits& limits) override {
    const double total = hosts_.vcpus_total[row];
    if (leaves_limits_ && exactly{wanted_}(total, hosts_.vcpus_used[row])) limits.vcpu = total;
  }

  // A resource that passes is used up, or untouched by a claim of nothing.
  claims_effect effect_of_claims() const override { return claims_effect::falls; }
  std::optional<supply> supply_of(std::uint32_t row) override {
    return supply{"vcpus", wanted_, hosts_.vcpus_total[row] - hosts_.vcpus_used[row]};
  }

 private:
  const host_table& hosts_;
  double wanted_;
  bool leaves_limits_;
};

class exact_core final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    if (!asked.request.flavor) return nullptr;
    return std::make_unique<exact_core_run>(asked);
  }
};

}  // namespace

const filter_rule exact_core_filter{"ExactCoreFilter", false, false, make_filter<exact_core>,
                                    "not exactly as many vCPUs free as asked for"};

}  // namespace filter_driver
