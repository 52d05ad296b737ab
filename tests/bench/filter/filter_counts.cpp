// SPDX-License-Identifier: Apache-2.0
#include "filter_counts.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>

#include "core/drivers/call/driver_call.hpp"
#include "core/drivers/call/host_services.hpp"
#include "filter_taker.hpp"
#include "gantry/driver/call.hpp"
#include "plugins/filter/rules/filtering.hpp"

namespace gantry::bench {

namespace {

namespace rules = filter_driver;

class Passing final : public rules::filter {
 public:
  std::unique_ptr<rules::filter_run> begin(const rules::question& /*asked*/) const override {
    return std::make_unique<Run>();
  }

 private:
  struct Run final : rules::filter_run {
    void keep(const rules::block& /*candidates*/) override {}
  };
};

drivers::DriverCallSettings with_sink(drivers::Sink& sink) {
  drivers::DriverCallSettings settings;
  settings.sink = &sink;
  return settings;
}

}  // namespace

struct Counting::Parts {
  Parts(const std::vector<std::string>& filters, std::uint32_t hosts)
      : asked{hosts_of_fleet, request, options}, rows((hosts + 63) / 64, ~std::uint64_t{0}), count(hosts) {
    for (const auto& name : filters) {
      filter_rules.push_back({name, true, true, nullptr});
      enabled.push_back({&filter_rules.back(), &passing});
    }
  }

  double run() {
    rules::filtering filtering(enabled, asked, true);
    drivers::DriverCall call(with_sink(taker));
    gantry::call to_core(*services.table(), call.handle());
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint32_t first = 0; first < count; first += rules::block_rows)
      filtering.keep({first, std::min(rules::block_rows, count - first), rows.data() + first / 64, nullptr});
    for (const auto& step : filtering.steps()) to_core.explain({step.rule->name, step.hosts_in, step.hosts_out, {}, 0});
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  rules::host_table hosts_of_fleet;
  rules::request_facts request;
  rules::settings options;
  rules::question asked;
  Passing passing;
  std::deque<rules::filter_rule> filter_rules;
  std::vector<rules::enabled_filter> enabled;
  std::vector<std::uint64_t> rows;
  std::uint32_t count;
  std::vector<std::uint32_t> taken;
  Taker taker{taken};
  drivers::HostServices services{"filter", telemetry::Logger::none(), std::make_shared<telemetry::Counters>()};
};

Counting::Counting(const std::vector<std::string>& filters, std::uint32_t hosts)
    : parts_(std::make_unique<Parts>(filters, hosts)) {}

Counting::~Counting() = default;

double Counting::run() {
  return parts_->run();
}

}  // namespace gantry::bench
