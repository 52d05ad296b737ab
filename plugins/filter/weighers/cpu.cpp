// SPDX-License-Identifier: Apache-2.0
//
// CPUWeigher (from Rocky on): what is left of vcpus_total x cpu_allocation_ratio.
#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

class cpu_run final : public weigher_run {
 public:
  explicit cpu_run(const host_table& hosts) : hosts_(hosts) {}

  void weigh(const block& candidates, double* raw) override {
    const double* const total = hosts_.vcpus_total.read(candidates.first, candidates.count, candidates.room(0));
    const double* const used = hosts_.vcpus_used.read(candidates.first, candidates.count, candidates.room(1));
    const double* const ratio =
        hosts_.cpu_allocation_ratio.read(candidates.first, candidates.count, candidates.room(2));
    run_wide([ =, count = std::size_t{candidates.count} ]() __attribute__((always_inline)) {
      for (std::size_t i = 0; i < count; ++i) raw[i] = total[i] * ratio[i] - used[i];
    });
  }

 private:
  const host_table& hosts_;
};

class cpu final : public weigher {
 public:
  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    return std::make_unique<cpu_run>(asked.hosts);
  }
};

}  // namespace

const weigher_rule cpu_weigher{
    "CPUWeigher",     0.0, std::nullopt, &settings::cpu_weight_multiplier, "cpu_weight_multiplier", false,
    make_weigher<cpu>};

}  // namespace filter_driver
