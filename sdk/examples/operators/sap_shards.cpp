// SPDX-License-Identifier: Apache-2.0
//
// SAP's rules about shards: a project uses the shards that its tags name, and instances move within a shard.
#include <gantry/filter.hpp>
#include <gantry/weigher.hpp>

#include "operators.hpp"
#include "sap.hpp"

namespace operators {
namespace {

// Says which instances are of HANA: by the flavor's trait, or by their memory.
class hana_detection {
 public:
  explicit hana_detection(const gantry::options& options)
      : by_memory_(options.string("hana_detection_strategy") == "memory_mb"), bigvm_mb_(options.integer("bigvm_mb")) {}
  bool operator()(const gantry::request& request) const {
    return by_memory_ ? request.memory_mb() >= bigvm_mb_ : requires_trait(request, sap::hana_host);
  }

 private:
  bool by_memory_;
  std::int64_t bigvm_mb_;
};

// sapcc/nova, nova/scheduler/filters/shard_filter.py
class shard final : public gantry::filter {
 public:
  explicit shard(const gantry::options& options)
      : tags_(options), is_hana_(options), ignores_hana_(options.boolean("sharding_ignore_hana")) {}
  gantry::code keep(gantry::call&, const gantry::filter_run& run) override {
    const std::string_view tags = tags_.of(run.request().project_id());
    const bool hana = ignores_hana_ && is_hana_(run.request()) && !has_word(tags, "use_individual_shard_tags_hana");
    if (hana || !sap::is_for_vmware(run.request())) return gantry::code::ok;
    const gantry::set_column aggregates = run.view().sets("aggregates");
    run.rows().keep_if([&](std::uint32_t row) {
      return sap::any_shard(run.view(), aggregates[row], [&](std::string_view name) {
        return has_word(tags, "sharding_enabled") || has_word(tags, name);
      });
    });
    return gantry::code::ok;
  }
  gantry::filter_reason reason(gantry::call&, const gantry::filter_run&, const gantry::bits&) override {
    return {"they are in no shard that the project's tags name"};
  }

 private:
  sap::project_tags tags_;
  hana_detection is_hana_;
  bool ignores_hana_;
};

// sapcc/nova, nova/scheduler/filters/volume_size_same_shard_resize_filter.py
class volume_size_same_shard_resize final : public gantry::filter {
 public:
  explicit volume_size_same_shard_resize(const gantry::options& options)
      : tags_(options), sum_(options.integer("volume_size_same_shard_resize_filter_sum")) {}
  gantry::code keep(gantry::call&, const gantry::filter_run& run) override {
    const gantry::request& request = run.request();
    if (!sap::is_for_vmware(request) || !moves_by(request, "resize")) return gantry::code::ok;
    if (!has_word(tags_.of(request.project_id()), "restrict-resize-by-volume-size")) return gantry::code::ok;
    std::int64_t sum = 0;
    for (const gantry_string size : request.hint("volume_sizes"))
      sum += number_of<std::int64_t>(gantry::text(size)).value_or(0);
    if (sum < sum_) return gantry::code::ok;
    run.rows().keep_if([&](std::uint32_t row) { return sap::shares_shard_with_source(run.view(), row, request); });
    return gantry::code::ok;
  }
  gantry::filter_reason reason(gantry::call&, const gantry::filter_run&, const gantry::bits&) override {
    return {"the instance has too large volumes to leave its shard"};
  }

 private:
  sap::project_tags tags_;
  std::int64_t sum_;
};

// sapcc/nova, nova/scheduler/weights/resize_same_shard.py
class prefer_same_shard final : public gantry::weigher {
 public:
  // cppcheck-suppress duplInheritedMember ; that is how a weigher names its option
  static constexpr std::string_view multiplier_name = "prefer_same_shard_resize_weight_multiplier";
  gantry::code weigh(gantry::call&, const gantry::weigher_run& run) override {
    const bool applies = moves_by(run.request(), "resize") && sap::is_for_vmware(run.request());
    run.minval(0);
    run.rows().for_each([&](std::uint32_t row) {
      run.score(row, applies && sap::shares_shard_with_source(run.view(), row, run.request()) ? 1 : 0);
    });
    return gantry::code::ok;
  }
};

}  // namespace

gantry_offer shard_filter() {
  return gantry::offer_filter<shard>("ShardFilter");
}

gantry_offer volume_size_same_shard_resize_filter() {
  return gantry::offer_filter<volume_size_same_shard_resize>("VolumeSizeSameShardResizeFilter");
}

gantry_offer prefer_same_shard_weigher() {
  return gantry::offer_weigher<prefer_same_shard>("PreferSameShardOnResizeWeigher");
}

}  // namespace operators
