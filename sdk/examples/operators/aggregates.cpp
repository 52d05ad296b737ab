// SPDX-License-Identifier: Apache-2.0
//
// Rules that read the metadata of a host's aggregates.
#include <gantry/filter.hpp>
#include <gantry/weigher.hpp>

#include "operators.hpp"
#include "text_list.hpp"

namespace operators {
namespace {

// AggregateMatchFilter of the de.NBI cloud, as described: each key in the metadata of the host's aggregates is an extra
// spec of the flavor, whose value is one of the key's, so that a flavor without the key stays away.
class aggregate_match final : public gantry::filter {
 public:
  // cppcheck-suppress duplInheritedMember ; that is how a filter says when it runs
  static constexpr bool once_per_request = true;
  gantry::code keep(gantry::call&, const gantry::filter_run& run) override {
    gantry::host_columns columns(run.view());
    run.rows().keep_if([&](std::uint32_t row) {
      const gantry::host_row_view host(columns, row);
      const auto sets = run.view().sets("aggregates")[row];
      return std::all_of(sets.begin(), sets.end(), [&](std::uint32_t index) {
        const auto metadata = gantry::each(run.view().aggregate(index).metadata);
        return std::all_of(metadata.begin(), metadata.end(), [&](const gantry_pair& pair) {
          return matches(host, gantry::text(pair.key), run.request());
        });
      });
    });
    return gantry::code::ok;
  }
  gantry::filter_reason reason(gantry::call&, const gantry::filter_run&, const gantry::bits&) override {
    return {"their aggregates ask for extra specs that the flavor lacks"};
  }

 private:
  static bool matches(const gantry::host_row_view& host, std::string_view key, const gantry::request& request) {
    const std::string scoped = "aggregate_instance_extra_specs:" + std::string(key);
    const auto wanted = request.extra_spec(key) ? request.extra_spec(key) : request.extra_spec(scoped);
    bool found = false;
    host.each_aggregate_value(key,
                              [&](std::string_view list) { found = found || (wanted && has_word(list, *wanted)); });
    return found;
  }
};

}  // namespace

gantry_offer aggregate_match_filter() {
  return gantry::offer_filter<aggregate_match>("AggregateMatchFilter");
}

// sapcc/nova, nova/scheduler/weights/aggregate_multitenancy_isolation.py
gantry_offer aggregate_multi_tenancy_isolation_weigher() {
  return gantry::offer_host_weigher(
      "AggregateMultiTenancyIsolationWeigher",
      [](const gantry::host_row_view& host, const gantry::request& request) -> std::optional<double> {
        bool own = false;
        host.each_aggregate_value("filter_tenant_id",
                                  [&](std::string_view list) { own = own || has_word(list, request.project_id()); });
        return own ? 1 : 0;
      },
      "aggregate_multi_tenancy_isolation_weight_multiplier");
}

}  // namespace operators
