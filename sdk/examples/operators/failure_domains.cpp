// SPDX-License-Identifier: Apache-2.0
//
// Rules that keep the members of a server group apart by more than the host. The group's rows have the claimed members
// too, which the originals cannot see.
#include <gantry/filter.hpp>

#include <set>

#include "operators.hpp"
#include "request_facts.hpp"
#include "text_list.hpp"

namespace operators {
namespace {

gantry::span<const std::uint32_t> member_rows(const gantry_group& group) {
  return {group.member_rows, static_cast<std::size_t>(group.member_row_count)};
}

// vexxhost/nova-scheduler-filters, nova_scheduler_filters/failure_domain_filter.py
class failure_domain final : public gantry::filter {
 public:
  gantry::code keep(gantry::call&, const gantry::filter_run& run) override {
    const gantry_group* group = run.request().group();
    const bool wanted = is_true(only_hint(run.request(), "different_failure_domain").value_or(""));
    if (!wanted || group == nullptr) return gantry::code::ok;
    std::set<std::string_view> taken = {""};  // a host without a domain does not pass
    for (const std::uint32_t row : member_rows(*group))
      taken.insert(aggregate_value(run.view(), row, "failure_domain"));
    run.rows().keep_if(
        [&](std::uint32_t row) { return taken.count(aggregate_value(run.view(), row, "failure_domain")) == 0; });
    return gantry::code::ok;
  }
  gantry::filter_reason reason(gantry::call&, const gantry::filter_run&, const gantry::bits&) override {
    return {"they are in no failure domain, or in one that has a member of the server group"};
  }
};

// bloomberg/chef-bcpc, chef/cookbooks/bcpc/files/default/nova/anti_affinity_availability_zone_filter.py. The host of
// the instance itself stays allowed.
class anti_affinity_availability_zone final : public gantry::filter {
 public:
  gantry::code keep(gantry::call& call, const gantry::filter_run& run) override {
    const gantry_group* group = run.request().group();
    const bool wanted = only_hint(run.request(), "anti_affinity_policy") == "availability_zone";
    if (!wanted || group == nullptr || gantry::text(group->policy) != "anti-affinity") return gantry::code::ok;
    const auto uuids = gantry::each(run.request().instance_uuids());
    const auto own = uuids.empty() ? std::nullopt : call.locate(gantry::text(uuids[0]));
    const gantry::text_column zones = run.view().texts("availability_zone");
    std::set<std::string_view> taken;
    for (const std::uint32_t row : member_rows(*group)) taken.insert(zones[row]);
    run.rows().keep_if([&](std::uint32_t row) { return taken.count(zones[row]) == 0 || (own && own->row == row); });
    return gantry::code::ok;
  }
  gantry::filter_reason reason(gantry::call&, const gantry::filter_run&, const gantry::bits&) override {
    return {"their availability zone has a member of the server group"};
  }
};

}  // namespace

gantry_offer failure_domain_filter() {
  return gantry::offer_filter<failure_domain>("FailureDomainFilter");
}

gantry_offer anti_affinity_availability_zone_filter() {
  return gantry::offer_filter<anti_affinity_availability_zone>("AntiAffinityAvailabilityZoneFilter");
}

}  // namespace operators
