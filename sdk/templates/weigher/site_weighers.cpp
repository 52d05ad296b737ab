// SPDX-License-Identifier: Apache-2.0
//
// A site's own weigher for the driver filter: prefers hosts that run cool. Rename it, then change weigh.
#include <algorithm>
#include <gantry/weigher.hpp>

namespace {

// Prefers the coolest hosts, as far as they are above the temperature that the site does not mind.
class cool_weigher final : public gantry::weigher {
 public:
  // cppcheck-suppress duplInheritedMember ; that is how a weigher names its option
  static constexpr std::string_view multiplier_name = "cool_weight_multiplier";

  explicit cool_weigher(double unminded) : unminded_(unminded) {}
  static std::unique_ptr<cool_weigher> create(gantry::call&, const gantry::options& options) {
    return std::make_unique<cool_weigher>(options.real("unminded_celsius"));
  }

  // A score has any scale: the driver brings the scores of one decision to 0 to 1. A host without a score counts as
  // the worst.
  gantry::code weigh(gantry::call&, const gantry::weigher_run& run) override {
    const gantry::column<double> inlet = run.view().reals("stats.inlet_celsius");
    run.rows().for_each([&](std::uint32_t row) { run.score(row, -std::max(inlet[row], unminded_)); });
    return gantry::code::ok;
  }

 private:
  double unminded_;
};

}  // namespace

GANTRY_OFFERS(R"(
id = 'site_weighers'
version = '0.1.0'
description = 'prefers hosts that run cool'
license = 'Apache-2.0'
vendor = 'Example'
[offers.CoolWeigher]
kind = 'gantry.weigher/1'
help = 'prefers hosts with cool air at their inlet'
threads = 'reentrant'
columns.needs = ['stats.inlet_celsius:f64']
[offers.CoolWeigher.options.cool_weight_multiplier]
type = 'real'
default = 1.0
help = 'what the score counts; negative prefers the hottest'
[offers.CoolWeigher.options.unminded_celsius]
type = 'real'
default = 18.0
help = 'hosts below this temperature are alike'
)",
              gantry::offer_weigher<cool_weigher>("CoolWeigher"));
