// SPDX-License-Identifier: Apache-2.0
//
// ComputeFilter (from Icehouse on): the host's service is not disabled, and the service group says that it is up.
#include "filters/filters.hpp"
#include "rules/asking.hpp"

namespace filter_driver {

namespace {

class compute_run final : public filter_run {
 public:
  explicit compute_run(const question& asked) : asked_(asked), hosts_(asked.hosts) {}

  void keep(const block& candidates) override {
    const std::uint32_t from = candidates.first / 64;
    const auto* const up = hosts_.service_up;
    const auto* const disabled = hosts_.service_disabled;
    for (std::uint32_t word = 0; word < candidates.words(); ++word) {
      candidates.rows[word] &= up == nullptr ? 0 : up[from + word];
      if (disabled != nullptr) candidates.rows[word] &= ~disabled[from + word];
    }
  }

  std::string reason_of(std::uint32_t row) override {
    return asked_.with == nullptr ? std::string() : gantry::why_not_up(asked_.with->view, row);
  }

 private:
  const question& asked_;
  const host_table& hosts_;
};

class compute final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    return std::make_unique<compute_run>(asked);
  }
};

}  // namespace

const filter_rule compute_filter{"ComputeFilter", true, false, make_filter<compute>, "the service is down or disabled"};

}  // namespace filter_driver
