// SPDX-License-Identifier: Apache-2.0
//
// RAMWeigher (Icehouse to Zed): free_ram_mb.
#include <algorithm>

#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

class ram_run final : public weigher_run {
 public:
  explicit ram_run(const host_table& hosts) : free_(hosts.free_ram_mb) {}

  void weigh(const block& candidates, double* raw) override {
    const double* const free = free_.read(candidates.first, candidates.count, raw);
    if (free != raw) std::copy_n(free, candidates.count, raw);
  }

 private:
  const number_column& free_;
};

class ram final : public weigher {
 public:
  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    return std::make_unique<ram_run>(asked.hosts);
  }
};

}  // namespace

const weigher_rule ram_weigher{
    "RAMWeigher", 0.0,    std::nullopt,     &settings::ram_weight_multiplier, "ram_weight_multiplier",
    false,        in_all, make_weigher<ram>};

}  // namespace filter_driver
