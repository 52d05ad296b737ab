// SPDX-License-Identifier: Apache-2.0
//
// Blazar's rule: the hosts of a reservation are an aggregate, its pool, and only the projects of the reservation use it.
#include <gantry/filter.hpp>

#include "operators.hpp"
#include "request_facts.hpp"
#include "text_list.hpp"

namespace operators {
namespace {

std::string_view metadata_of(const gantry_aggregate& aggregate, std::string_view key) {
  for (const gantry_pair& pair : gantry::each(aggregate.metadata)) {
    if (gantry::text(pair.key) == key) return gantry::text(pair.value);
  }
  return {};
}

bool is_among(std::string_view name, gantry::span<const gantry_string> names) {
  return std::any_of(names.begin(), names.end(), [&](gantry_string known) { return gantry::text(known) == name; });
}

// How many pools a host is in, and whether it is in the pool for preemptible instances.
struct pools_of_host {
  int count = 0;
  bool preemptible = false;
};

// The names by which a site knows pools.
class pool_names {
 public:
  explicit pool_names(const gantry::options& options)
      : free_pool_(options.string("aggregate_freepool_name")),
        preemptible_pool_(options.string("preemptible_aggregate")),
        allows_preemptible_(options.boolean("allow_preemptibles")),
        owner_key_(options.string("blazar_owner")),
        zone_prefix_(options.string("blazar_az_prefix")) {}

  // Returns whether the aggregate is a pool. A pool that is known both by its name and by its zone counts twice, as in Blazar.
  bool add(const gantry_aggregate& aggregate, pools_of_host& pools) const {
    const int before = pools.count;
    const std::string_view name = gantry::text(aggregate.name);
    const std::string_view zone = metadata_of(aggregate, "availability_zone");
    const bool by_zone = !zone.empty() && zone.substr(0, zone_prefix_.size()) == zone_prefix_;
    if (by_zone || zone.substr(0, 7) == "blazar:") ++pools.count;
    if (name == free_pool_ || name == preemptible_pool_) ++pools.count;
    pools.preemptible = pools.preemptible || name == preemptible_pool_;
    return pools.count != before;
  }
  bool is_preemptible(const gantry::request& request) const {
    return allows_preemptible_ && is_true(request.extra_spec("blazar:preemptible").value_or(""));
  }
  bool admits(const gantry_aggregate& pool, std::string_view project) const {
    return !metadata_of(pool, project).empty() || metadata_of(pool, owner_key_) == project;
  }

 private:
  std::string free_pool_;
  std::string preemptible_pool_;
  bool allows_preemptible_;
  std::string owner_key_;
  std::string zone_prefix_;
};

// openstack/blazar-nova, blazarnova/scheduler/filters/blazar_filter.py. The first pool that was asked for decides.
class blazar final : public gantry::filter {
 public:
  // cppcheck-suppress duplInheritedMember ; that is how a filter says when it runs
  static constexpr bool once_per_request = true;
  explicit blazar(const gantry::options& options) : names_(options) {}
  gantry::code keep(gantry::call&, const gantry::filter_run& run) override {
    run.rows().keep_if([&](std::uint32_t row) { return passes(run.view(), row, run.request()); });
    return gantry::code::ok;
  }
  gantry::filter_reason reason(gantry::call&, const gantry::filter_run&, const gantry::bits&) override {
    return {"they are not in the reservation of the request, or are reserved"};
  }

 private:
  bool passes(const gantry::view& view, std::uint32_t row, const gantry::request& request) const {
    const auto wanted = request.hint("reservation");
    pools_of_host pools;
    for (const std::uint32_t index : view.sets("aggregates")[row]) {
      const gantry_aggregate& pool = view.aggregate(index);
      if (names_.add(pool, pools) && is_among(gantry::text(pool.name), wanted))
        return names_.admits(pool, request.project_id());
    }
    if (!wanted.empty() || request.extra_spec("aggregate_instance_extra_specs:reservation")) return wanted.empty();
    return names_.is_preemptible(request) ? pools.count == 1 && pools.preemptible : pools.count == 0;
  }

  pool_names names_;
};

}  // namespace

gantry_offer blazar_filter() {
  return gantry::offer_filter<blazar>("BlazarFilter");
}

}  // namespace operators
