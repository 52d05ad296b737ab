// SPDX-License-Identifier: Apache-2.0
//
// AvailabilityZoneFilter (Icehouse to Antelope): a request for a zone passes hosts with an aggregate whose
// availability_zone is that zone. Hosts without an aggregate that sets a zone are in the core's
// default_availability_zone. Ocata to Antelope split the metadata at commas. From Bobcat on the filter does here what
// Nova asks of placement: the whole text is the zone.
#include <algorithm>

#include "filters/filters.hpp"
#include "nova/comma_list.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

class zone_run final : public filter_run {
 public:
  explicit zone_run(const question& asked)
      : hosts_(asked.hosts),
        zone_(*asked.request.availability_zone),
        default_zone_(asked.options.default_availability_zone),
        splits_(asked.options.compatibility->splits_aggregate_values &&
                !asked.options.compatibility->zones_are_whole_texts),
        known_(asked.hosts, [this](const auto& of_set) { return judge(of_set); }) {}

  void keep(const block& candidates) override {
    candidates.keep_if([this](std::uint32_t row) {
      const auto known = known_[row];
      return known == in_zone || (known == without_zone && is_default(row));
    });
  }

  std::optional<mismatch> mismatch_of(std::uint32_t row) override {
    const auto zone = hosts_.availability_zone[row];
    return mismatch{"zone " + quoted(zone_), zone ? quoted(*zone) : "none"};
  }

 private:
  enum verdict : std::uint8_t { without_zone, in_zone, in_another };

  verdict judge(const std::vector<const aggregate*>& aggregates) const {
    auto found = without_zone;
    for (const auto* const each : aggregates) {
      const auto value = each->find("availability_zone");
      if (!value) continue;
      if (splits_ ? has_item(*value, zone_) : *value == zone_) return in_zone;
      found = in_another;
    }
    return found;
  }
  bool is_default(std::uint32_t row) const {
    return zone_ == (default_zone_.empty() ? hosts_.availability_zone[row].value_or("") : default_zone_);
  }

  const host_table& hosts_;
  std::string_view zone_;
  std::string_view default_zone_;
  bool splits_;
  value_by_set<verdict> known_;
};

// Nova then asks placement for nothing, and takes every host (nova/scheduler/request_filter.py).
bool is_left_out_by_nova(const question& asked) {
  if (!asked.options.strict_parity || !asked.options.compatibility->zones_are_whole_texts) return false;
  const auto& all = asked.hosts.aggregates.all();
  return std::none_of(all.begin(), all.end(), [&asked](const aggregate& each) {
    return each.find("availability_zone") == *asked.request.availability_zone;
  });
}

class availability_zone final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    const auto& zone = asked.request.availability_zone;
    if (!zone || zone->empty() || is_left_out_by_nova(asked)) return nullptr;
    return std::make_unique<zone_run>(asked);
  }
};

}  // namespace

const filter_rule availability_zone_filter{"AvailabilityZoneFilter", true, false, make_filter<availability_zone>,
                                           "not in the zone that is asked for"};

}  // namespace filter_driver
