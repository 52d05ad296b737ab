// SPDX-License-Identifier: Apache-2.0
//
// A driver for tests that decides by nothing but what its libraries offer: each filter in turn, then the sum of the
// weighers' scores, each brought to 0..1. The best row is picked, with the limits that the filters set.
#include <gantry/driver.hpp>
#include <gantry/driver/offers.hpp>

#include <algorithm>
#include <vector>

namespace {

// One decision for the first instance.
class ranking {
 public:
  ranking(gantry::call& call, const gantry::request& request, const gantry::offers& offers)
      : call_(call), request_(request), offers_(offers), rows_(call.empty_bitmap(request.view().rows())) {
    rows_.assign(request.view().flags("up").values());
  }

  gantry::code pick() {
    apply<gantry::offered_filter>(GANTRY_FILTER_KIND, [&](const auto& filter) { keep(filter); });
    if (rows_.none()) return call_.fail(gantry::code::no_valid_host, reason_);
    totals_.assign(rows_.rows(), 0.0);
    apply<gantry::offered_weigher>(GANTRY_WEIGHER_KIND, [&](const auto& weigher) { weigh(weigher); });
    std::uint32_t best = rows_.nth(0);
    rows_.for_each([&](std::uint32_t row) { best = totals_[row] > totals_[best] ? row : best; });
    return call_.pick(0, best, limits_of(best), totals_[best]);
  }

 private:
  template <class Offered, class Visit>
  void apply(std::string_view kind, const Visit& visit) {
    for (std::size_t index = 0; index < offers_.size(); ++index) {
      if (gantry::text(offers_[index].kind) == kind) visit(Offered(offers_[index]));
    }
  }

  gantry_filter_run run_on(gantry::bitmap& rows) const {
    return {sizeof(gantry_filter_run), gantry::all_instances,  0,           0,
            &request_.raw(),           &request_.view().raw(), rows.words()};
  }

  void keep(const gantry::offered_filter& filter) {
    if (rows_.none()) return;
    gantry::bitmap before = call_.empty_bitmap(rows_.rows());
    before.assign(rows_);
    filter.keep_complete(call_, request_.view(), rows_);
    gantry::bitmap removed = call_.empty_bitmap(rows_.rows());
    removed.assign(rows_);
    const gantry_filter_run run = run_on(rows_);
    filter.keep(call_, run);
    removed.remove(rows_);
    const gantry_filter_reason why = filter.reason(call_, run, removed.words());
    reason_ = std::string(filter.name()) + ": " + std::string(gantry::text(why.text));
    if ((why.present & GANTRY_REASON_NEED) != 0) {
      reason_ += "; need " + std::to_string(static_cast<int>(why.need)) + " " +
                 std::string(gantry::text(why.resource)) + ", best " +
                 ((why.present & GANTRY_REASON_BEST) != 0 ? std::to_string(static_cast<int>(why.best)) : "none");
    }
    call_.explain({filter.name(), before.count(), rows_.count(), reason_});
  }

  void weigh(const gantry::offered_weigher& weigher) {
    gantry::bitmap scored = call_.empty_bitmap(rows_.rows());
    scored.assign(rows_);
    weigher.keep_complete(call_, request_.view(), scored);
    gantry::bitmap present = call_.empty_bitmap(rows_.rows());
    present.assign(scored);
    gantry_weigher_run run = {};
    run.struct_size = sizeof(run);
    run.instance = gantry::all_instances;
    run.request = &request_.raw();
    run.view = &request_.view().raw();
    run.rows = scored.words();
    run.raw = call_.scratch<double>(rows_.rows()).data();
    run.present = present.words();
    weigher.weigh(call_, run);
    add(weigher, run, present);
  }

  void add(const gantry::offered_weigher& weigher, const gantry_weigher_run& run, const gantry::bitmap& present) {
    if (present.none()) return;
    double least = run.raw[present.nth(0)];
    double greatest = least;
    present.for_each([&](std::uint32_t row) {
      least = std::min(least, run.raw[row]);
      greatest = std::max(greatest, run.raw[row]);
    });
    if ((run.bounds & GANTRY_WEIGHER_MINVAL) != 0) least = run.minval;
    if ((run.bounds & GANTRY_WEIGHER_MAXVAL) != 0) greatest = run.maxval;
    if (greatest <= least) return;
    present.for_each([&](std::uint32_t row) {
      totals_[row] += weigher.multiplier() * ((run.raw[row] - least) / (greatest - least));
    });
  }

  gantry::limits limits_of(std::uint32_t row) {
    gantry::limits limits;
    apply<gantry::offered_filter>(GANTRY_FILTER_KIND, [&](const auto& filter) {
      const gantry_filter_limits set = filter.limits(call_, run_on(rows_), row);
      if ((set.present & GANTRY_LIMIT_VCPU) != 0) limits.vcpu = set.limits.vcpu;
    });
    return limits;
  }

  gantry::call& call_;
  const gantry::request& request_;
  const gantry::offers& offers_;
  gantry::bitmap rows_;
  std::vector<double> totals_;
  std::string reason_;
};

class ranker final : public gantry::driver {
 public:
  explicit ranker(const gantry::host& host) : offers_(host) {}
  static std::unique_ptr<ranker> create(gantry::call& call, const gantry::options&) {
    return std::make_unique<ranker>(call.host());
  }

  gantry::code select_destinations(gantry::call& call, const gantry::request& request) override {
    return ranking(call, request, offers_).pick();
  }
  gantry::code schedule_run_instance(gantry::call& call, const gantry::request& request) override {
    return select_destinations(call, request);
  }

 private:
  gantry::offers offers_;
};

}  // namespace

GANTRY_DRIVER(ranker, R"(
id = 'ranker'
version = '1.0.0'
description = 'ranks hosts by what its libraries offer'
topics = ['compute']
threads = 'reentrant'
[columns]
needs = ['up', 'host']
)");
