// SPDX-License-Identifier: Apache-2.0
//
// The facts that a request's question for placement looks up: those of Nova's databases, and Neutron's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/nova/facts/fact_snapshot.hpp"
#include "core/nova/request/lookups.hpp"

namespace gantry::nova {

// The facts of a snapshot, and Neutron's.
class FactLookups final : public RequestLookups {
 public:
  FactLookups(std::shared_ptr<const FactSnapshot> facts, const NetworkLookups* networks)
      : facts_(std::move(facts)), networks_(networks) {}

  std::span<const AggregateFacts> aggregates() const override { return facts_->aggregates(); }
  Result<std::vector<ComputeNodeFacts>> compute_nodes(const std::optional<std::string>& host,
                                                      const std::optional<std::string>& node,
                                                      const std::optional<std::string>& cell_uuid) const override {
    return facts_->compute_nodes(host, node, cell_uuid);
  }
  bool are_equal_in_database(std::string_view a, std::string_view b) const override {
    return facts_->are_equal_in_database(a, b);
  }
  std::int64_t lowest_compute_version() const override { return facts_->lowest_compute_version(); }
  const NetworkLookups* networks() const override { return networks_; }

 private:
  std::shared_ptr<const FactSnapshot> facts_;
  const NetworkLookups* networks_;
};

}  // namespace gantry::nova
