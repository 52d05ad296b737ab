// SPDX-License-Identifier: Apache-2.0
//
// PCIWeigher (from Pike on): 100 less the host's free PCI devices, of which at most 99 count, whether the request asks
// for any or not: hosts with none are preferred.
#include <algorithm>
#include <gantry/driver/failure.hpp>
#include <memory>
#include <vector>

#include "rules/values_by_row.hpp"
#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

class pci_run final : public weigher_run {
 public:
  pci_run(const host_table& hosts, values_by_row<double>& known) : hosts_(hosts), known_(known) {}

  void weigh(const block& candidates, double* raw) override {
    if (hosts_.pci_stats == nullptr) {
      std::fill_n(raw, candidates.count, 100.0);
      return;
    }
    row_keys pools;
    read_keys(hosts_.pci_stats, candidates, pools);
    known_.read({pools.data()}, candidates, raw,
                [this](std::uint32_t row) { return weight_of(hosts_.pci_stats->at(row), row); });
  }

  const double* read(const block& candidates, double* /*room*/) override {
    if (weights_ == nullptr) {
      weights_ = std::make_unique_for_overwrite<double[]>(hosts_.rows);
      is_read_.resize(hosts_.rows / block_rows + 1);
    }
    double* const here = weights_.get() + candidates.first;
    if (!is_read_[candidates.first / block_rows]) weigh(candidates, here);
    is_read_[candidates.first / block_rows] = true;
    return here;
  }

 private:
  double weight_of(const boost::json::value& pools, std::uint32_t row) const {
    const auto* const list = pools.if_array();
    if (list == nullptr) return 100;
    double devices = 0;
    for (const auto& pool : *list) {
      const auto* const fields = pool.if_object();
      const auto* const count = fields == nullptr ? nullptr : fields->if_contains("count");
      if (count == nullptr || !count->is_number())
        throw gantry::failure(gantry::code::invalid_argument,
                              "PCIWeigher: a PCI pool of host " + hosts_.name_of(row) + " has no count");
      devices += count->to_number<double>();
    }
    return 100 - std::min(devices, 99.0);
  }

  const host_table& hosts_;
  values_by_row<double>& known_;
  std::unique_ptr<double[]> weights_;  // by row, cached by the first read(): the candidates stay the same
  std::vector<bool> is_read_;          // for each block
};

class pci final : public weigher {
 public:
  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    return std::make_unique<pci_run>(asked.hosts, known_);
  }

 private:
  mutable values_by_row<double> known_;
};

}  // namespace

const weigher_rule pci_weigher{
    "PCIWeigher", std::nullopt,     std::nullopt, &settings::pci_weight_multiplier, "pci_weight_multiplier",
    false,        make_weigher<pci>};

}  // namespace filter_driver
