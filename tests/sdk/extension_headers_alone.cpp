// SPDX-License-Identifier: Apache-2.0
#include <gantry/driver/ask.hpp>
#include <gantry/driver/capacity.hpp>
#include <gantry/driver/changes.hpp>
#include <gantry/driver/offers.hpp>
#include <gantry/filter.hpp>
#include <gantry/testing/fake_offer.hpp>
#include <gantry/weigher.hpp>

namespace {

class every_host final : public gantry::filter {
 public:
  static constexpr bool once_per_request = true;
  gantry::code keep(gantry::call&, const gantry::filter_run&) override { return gantry::code::ok; }
};

class no_difference final : public gantry::weigher {
 public:
  gantry::code weigh(gantry::call&, const gantry::weigher_run& run) override {
    run.rows().for_each([&](std::uint32_t row) { run.score(row, 0); });
    return gantry::code::ok;
  }
};

}  // namespace

GANTRY_OFFERS(R"(
id = 'nothing'
version = '1.0.0'
)",
              gantry::offer_filter<every_host>("EveryHostFilter"),
              gantry::offer_host_filter("UpFilter",
                                        [](const gantry::host_row_view& host, const gantry::request&) {
                                          return host.flag("up").value_or(false);
                                        }),
              gantry::offer_weigher<no_difference>("NoWeigher"),
              gantry::offer_host_weigher("RamWeigher", [](const gantry::host_row_view& host, const gantry::request&) {
                return host.real("free_ram_mb");
              }));
