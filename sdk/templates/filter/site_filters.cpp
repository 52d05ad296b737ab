// SPDX-License-Identifier: Apache-2.0
//
// A site's own rules for the filter driver: a filter for whole columns, one for single hosts and a weigher. Take what
// you need; [driver.filter] names the file in libraries, the filters in enabled_filters.
#include <gantry/filter.hpp>
#include <gantry/weigher.hpp>

#include <charconv>

namespace {

// Returns the watts that the flavor asks for by the extra spec site:power_w, 0 if it asks for none.
std::int64_t power_wanted(const gantry::request& request) {
  const std::string_view value = request.extra_spec("site:power_w").value_or("0");
  std::int64_t watts = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), watts);
  if (read.ec == std::errc() && read.ptr == value.data() + value.size()) return watts;
  throw gantry::failure(gantry::code::invalid_argument,
                        "extra spec site:power_w: expected watts, found '" + std::string(value) + "'");
}

// Keeps the hosts with that much power left, beside a reserve that the site sets. Reads whole columns.
class power_filter final : public gantry::filter {
 public:
  explicit power_filter(std::int64_t reserve_w) : reserve_w_(reserve_w) {}
  static std::unique_ptr<power_filter> create(gantry::call&, const gantry::options& options) {
    return std::make_unique<power_filter>(options.integer("reserve_w"));
  }

  gantry::code keep(gantry::call&, const gantry::filter_run& run) override {
    const std::int64_t wanted = power_wanted(run.request()) + reserve_w_;
    const gantry::column<std::int64_t> left = run.view().integers("stats.power_left_w");
    gantry::bitmap rows = run.rows();
    rows.keep_if([&](std::uint32_t row) { return left[row] >= wanted; });
    return gantry::code::ok;
  }

  gantry::filter_reason reason(gantry::call&, const gantry::filter_run& run, const gantry::bits& removed) override {
    const gantry::column<std::int64_t> left = run.view().integers("stats.power_left_w");
    gantry::filter_reason reason;
    reason.text = "they have too little power left";
    reason.resource = "power_w";
    reason.need = static_cast<double>(power_wanted(run.request()));
    removed.for_each([&](std::uint32_t row) {
      const auto usable = static_cast<double>(left[row] - reserve_w_);
      if (!reason.best || usable > *reason.best) reason.best = usable;
    });
    return reason;
  }

 private:
  std::int64_t reserve_w_;
};

// Prefers the hosts with the most power left.
class power_weigher final : public gantry::weigher {
 public:
  // cppcheck-suppress duplInheritedMember ; that is how a weigher names its option
  static constexpr std::string_view multiplier_name = "power_weight_multiplier";

  gantry::code weigh(gantry::call&, const gantry::weigher_run& run) override {
    const gantry::column<std::int64_t> left = run.view().integers("stats.power_left_w");
    run.rows().for_each([&](std::uint32_t row) { run.score(row, static_cast<double>(left[row])); });
    return gantry::code::ok;
  }
};

}  // namespace

GANTRY_OFFERS(R"(
id = 'site_filters'
version = '0.1.0'
description = 'power and racks, as our site counts them'
license = 'Apache-2.0'
vendor = 'Example'
[offers.PowerFilter]
kind = 'gantry.filter/1'
help = 'keeps hosts that have the power which the extra spec site:power_w asks for'
threads = 'reentrant'
columns.needs = ['stats.power_left_w:i64']
[offers.PowerFilter.options.reserve_w]
type = 'integer'
default = 0
minimum = 0
maximum = 1048576
help = 'watts that are never given out'
[offers.RackFilter]
kind = 'gantry.filter/1'
help = 'keeps to the rack that the scheduler hint rack names'
threads = 'reentrant'
columns.uses = ['stats.rack:string']
[offers.PowerWeigher]
kind = 'gantry.weigher/1'
help = 'prefers hosts with power left'
threads = 'reentrant'
columns.needs = ['stats.power_left_w:i64']
[offers.PowerWeigher.options.power_weight_multiplier]
type = 'real'
default = 1.0
help = 'what the score counts; negative packs'
)",
              gantry::offer_filter<power_filter>("PowerFilter"),
              gantry::offer_host_filter(
                  "RackFilter",
                  [](const gantry::host_row_view& host, const gantry::request& request) {
                    const auto racks = request.hint("rack");
                    return racks.empty() || host.text("stats.rack") == gantry::text(racks[0]);
                  },
                  "their rack differs"),
              gantry::offer_weigher<power_weigher>("PowerWeigher"));
