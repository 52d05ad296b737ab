// SPDX-License-Identifier: Apache-2.0
//
// AvailabilityZoneFilter (Icehouse to Zed): a request for a zone passes hosts with an aggregate whose availability_zone
// is that zone; hosts without any such aggregate are in default_availability_zone. Zed splits the metadata at commas.
#include "filters/filters.hpp"
#include "python/comma_list.hpp"

namespace filter_driver {

namespace {

class zone_run final : public aggregate_run {
 public:
  explicit zone_run(const question& asked)
      : aggregate_run(asked),
        zone_(*asked.request.availability_zone),
        default_zone_(asked.options.default_availability_zone),
        splits_(asked.options.compatibility != release::icehouse) {}

 protected:
  bool passes(const members& aggregates) override {
    bool has_zone = false;
    for (const auto* const each : aggregates) {
      const auto value = each->find("availability_zone");
      if (!value) continue;
      has_zone = true;
      if (splits_ ? has_item(*value, zone_) : *value == zone_) return true;
    }
    return !has_zone && zone_ == default_zone_;
  }

 private:
  std::string_view zone_;
  std::string_view default_zone_;
  bool splits_;
};

class availability_zone final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    const auto& zone = asked.request.availability_zone;
    if (!zone || zone->empty()) return nullptr;
    return std::make_unique<zone_run>(asked);
  }
};

}  // namespace

const filter_rule availability_zone_filter{"AvailabilityZoneFilter", true, false, in_all,
                                           make_filter<availability_zone>};

}  // namespace filter_driver
