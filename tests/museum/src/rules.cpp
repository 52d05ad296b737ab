// SPDX-License-Identifier: Apache-2.0
//
// A library: a filter with limits and a reason, one that runs once for a request and for a rebuild, and a weigher.
#include <gantry/filter.hpp>
#include <gantry/weigher.hpp>

namespace {

// Keeps the hosts that have the watts of the extra spec site:power_w, and limits what they may carry.
class power_filter final : public gantry::filter {
 public:
  static constexpr bool once_per_request = true;
  static constexpr bool on_rebuild = true;
  explicit power_filter(std::int64_t reserve_w) : reserve_w_(reserve_w) {}
  static std::unique_ptr<power_filter> create(gantry::call&, const gantry::options& options) {
    return std::make_unique<power_filter>(options.integer("reserve_w"));
  }

  gantry::code keep(gantry::call&, const gantry::filter_run& run) override {
    const gantry::column<std::int64_t> left = run.view().integers("stats.power_w");
    gantry::bitmap rows = run.rows();
    rows.keep_if([&](std::uint32_t row) { return left[row] >= wanted(run) + reserve_w_; });
    return gantry::code::ok;
  }

  gantry::limits limits(gantry::call&, const gantry::filter_run& run, std::uint32_t row) override {
    gantry::limits limits;
    limits.vcpu = 4.0 * static_cast<double>(run.view().integers("stats.power_w")[row]);
    return limits;
  }

  gantry::filter_reason reason(gantry::call&, const gantry::filter_run& run, const gantry::bits& removed) override {
    const gantry::column<std::int64_t> left = run.view().integers("stats.power_w");
    gantry::filter_reason reason;
    reason.text = "they have too little power left";
    reason.resource = "power_w";
    reason.need = static_cast<double>(wanted(run));
    removed.for_each([&](std::uint32_t row) {
      const auto usable = static_cast<double>(left[row] - reserve_w_);
      if (!reason.best || usable > *reason.best) reason.best = usable;
    });
    return reason;
  }

 private:
  static std::int64_t wanted(const gantry::filter_run& run) {
    return run.request().extra_spec("site:colour").has_value() ? 200 : 50;
  }

  std::int64_t reserve_w_;
};

// Prefers the hosts of least load, on a scale of its own.
class load_weigher final : public gantry::weigher {
 public:
  static constexpr std::string_view multiplier_name = "load_weight_multiplier";

  gantry::code weigh(gantry::call&, const gantry::weigher_run& run) override {
    const gantry::column<double> load = run.view().reals("stats.load");
    run.rows().for_each([&](std::uint32_t row) { run.score(row, -load[row]); });
    run.maxval(0);
    run.minval(-64);
    return gantry::code::ok;
  }
};

}  // namespace

GANTRY_OFFERS(R"(
id = 'rules'
version = '1.0.0'
description = 'kept in the museum'
[offers.MuseumPowerFilter]
kind = 'gantry.filter/1'
help = 'keeps hosts that have the power'
threads = 'reentrant'
columns.needs = ['stats.power_w:i64']
[offers.MuseumPowerFilter.options.reserve_w]
type = 'integer'
default = 30
help = 'watts that are never given out'
[offers.MuseumRackFilter]
kind = 'gantry.filter/1'
help = 'keeps to the rack of the hint'
threads = 'serial'
columns.uses = ['stats.rack:string']
[offers.MuseumLoadWeigher]
kind = 'gantry.weigher/1'
help = 'prefers hosts of least load'
threads = 'reentrant'
columns.needs = ['stats.load:f64']
[offers.MuseumLoadWeigher.options.load_weight_multiplier]
type = 'real'
default = 1.5
help = 'what the score counts'
)",
              gantry::offer_filter<power_filter>("MuseumPowerFilter"),
              gantry::offer_host_filter(
                  "MuseumRackFilter",
                  [](const gantry::host_row_view& host, const gantry::request& request) {
                    const auto racks = request.hint("rack");
                    return racks.empty() || host.text("stats.rack") == gantry::text(racks[0]);
                  },
                  "their rack differs"),
              gantry::offer_weigher<load_weigher>("MuseumLoadWeigher"));
