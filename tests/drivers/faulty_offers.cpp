// SPDX-License-Identifier: Apache-2.0
//
// A library that breaks the rules of its extensions in the way that the scheduler hint `fault` names.
#include <gantry/filter.hpp>
#include <gantry/weigher.hpp>

#include <cmath>
#include <limits>

namespace {

constexpr double greatest = std::numeric_limits<double>::max();

std::string_view fault_of(const gantry::request& request) {
  const auto hints = request.hint("fault");
  return hints.empty() ? std::string_view() : gantry::text(hints[0]);
}

class faulty_filter final : public gantry::filter {
 public:
  gantry::code keep(gantry::call& call, const gantry::filter_run& run) override {
    if (fault_of(run.request()) == "pick") return call.pick(0, 0);
    if (fault_of(run.request()) == "code") return static_cast<gantry::code>(42);
    if (fault_of(run.request()) == "claim_lost") return gantry::code::claim_lost;
    if (fault_of(run.request()) == "reason") run.rows().keep_if([](std::uint32_t) { return false; });
    return gantry::code::ok;
  }
  gantry::limits limits(gantry::call&, const gantry::filter_run& run, std::uint32_t) override {
    gantry::limits limits;
    if (fault_of(run.request()) == "nan_limit") limits.memory_mb = std::nan("");
    if (fault_of(run.request()) == "negative_limit") limits.vcpu = -1;
    return limits;
  }
  gantry::filter_reason reason(gantry::call&, const gantry::filter_run&, const gantry::bits&) override {
    return {"they are too hot", "degrees", std::nan(""), 20};
  }
};

gantry_code limits_with_unknown_bits(gantry_offered* filter, gantry_call* call, const gantry_filter_run* run,
                                     std::uint32_t row, gantry_filter_limits* out) noexcept {
  const auto code = gantry::detail::filter_limits(filter, call, run, row, out);
  const auto& self = gantry::detail::offered_as<gantry::filter>(filter);
  gantry::detail::guarded(*self.host, call, [&](gantry::call& known) {
    if (fault_of(gantry::filter_run(known, *run).request()) == "present") out->present = UINT32_MAX;
    return gantry::code::ok;
  });
  return code;
}

const gantry_filter_ops& faulty_table() {
  static const gantry_filter_ops table = [] {
    auto made = gantry::detail::filter_table<faulty_filter>;
    made.limits = limits_with_unknown_bits;
    return made;
  }();
  return table;
}

gantry_offer faulty_filter_offer() {
  auto offer = gantry::offer_filter<faulty_filter>("FaultyFilter");
  offer.table = &faulty_table();
  return offer;
}

// Scores as far apart as they may be: the first row has the least, the others the greatest.
class faulty_weigher final : public gantry::weigher {
 public:
  gantry::code weigh(gantry::call&, const gantry::weigher_run& run) override {
    if (fault_of(run.request()) == "weigher_code") return static_cast<gantry::code>(-1);
    const double best = fault_of(run.request()) == "nan_score" ? std::nan("") : greatest;
    bool is_first = true;
    run.rows().for_each([&](std::uint32_t row) { run.score(row, std::exchange(is_first, false) ? -greatest : best); });
    return gantry::code::ok;
  }
};

}  // namespace

GANTRY_OFFERS(R"(
id = 'faulty_offers'
version = '0.1.0'
description = 'breaks the rules on request'
[offers.FaultyFilter]
kind = 'gantry.filter/1'
help = 'breaks the rule that the scheduler hint fault names'
threads = 'reentrant'
[offers.FaultyWeigher]
kind = 'gantry.weigher/1'
help = 'gives the least and the greatest scores there are'
threads = 'reentrant'
)",
              faulty_filter_offer(), gantry::offer_weigher<faulty_weigher>("FaultyWeigher"));
