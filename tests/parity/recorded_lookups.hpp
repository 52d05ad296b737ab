// SPDX-License-Identifier: Apache-2.0
//
// The facts that a record says Nova found while it built the question for placement.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/nova/request/lookups.hpp"
#include "core/nova/request/options.hpp"

namespace filter_driver::parity {

// Returns the rules of the record's release, and the options that the record sets, the others with their defaults.
gantry::nova::RequestOptions recorded_request_options(const boost::json::object& record);

// Aggregates (`aggregates`, or what the record's aggregate_queries returned), compute nodes (`compute_nodes`), the lowest
// version of a nova-compute (`lowest_compute_version`), and Neutron (`neutron`), if the record has it.
class recorded_lookups : public gantry::nova::RequestLookups {
 public:
  explicit recorded_lookups(const boost::json::object& record);

  std::span<const gantry::nova::AggregateFacts> aggregates() const override { return aggregates_; }
  gantry::Result<std::vector<gantry::nova::ComputeNodeFacts>> compute_nodes(
      const std::optional<std::string>& host, const std::optional<std::string>& node,
      const std::optional<std::string>& cell_uuid) const override;
  std::int64_t lowest_compute_version() const override { return lowest_compute_version_; }
  const gantry::nova::NetworkLookups* networks() const override { return neutron_ ? &*neutron_ : nullptr; }

 private:
  class recorded_networks : public gantry::nova::NetworkLookups {
   public:
    explicit recorded_networks(boost::json::object neutron) : neutron_(std::move(neutron)) {}
    gantry::Result<gantry::nova::PortFacts> port(const std::string& id) const override;
    gantry::Result<std::vector<std::string>> segments_of_network(const std::string& id) const override;
    gantry::Result<std::optional<std::string>> segment_of_subnet(const std::string& id) const override;
    gantry::Result<std::vector<std::string>> aggregates_of_segment(const std::string& id) const override;

   private:
    boost::json::object neutron_;
  };

  std::vector<gantry::nova::AggregateFacts> aggregates_;
  std::vector<gantry::nova::ComputeNodeFacts> nodes_;
  std::int64_t lowest_compute_version_ = 0;
  std::optional<recorded_networks> neutron_;
};

}  // namespace filter_driver::parity
