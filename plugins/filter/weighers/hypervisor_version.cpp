// SPDX-License-Identifier: Apache-2.0
//
// HypervisorVersionWeigher (from Bobcat on): hypervisor_version, 0 where a host reports none. Hosts with a newer
// hypervisor are preferred.
#include <algorithm>
#include <cmath>

#include "weighers/column.hpp"
#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

class hypervisor_version_run final : public weigher_run {
 public:
  explicit hypervisor_version_run(const number_column& versions) : versions_(versions) {}

  void weigh(const block& candidates, double* raw) override {
    const double* const values = versions_.read(candidates.first, candidates.count, raw);
    std::transform(values, values + candidates.count, raw,
                   [](double version) { return std::isnan(version) ? 0.0 : version; });
  }

 private:
  const number_column& versions_;
};

class hypervisor_version final : public weigher {
 public:
  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    return std::make_unique<hypervisor_version_run>(asked.hosts.hypervisor_version);
  }
};

}  // namespace

const weigher_rule hypervisor_version_weigher{"HypervisorVersionWeigher",
                                              std::nullopt,
                                              std::nullopt,
                                              &settings::hypervisor_version_weight_multiplier,
                                              "hypervisor_version_weight_multiplier",
                                              false,
                                              make_weigher<hypervisor_version>};

}  // namespace filter_driver
