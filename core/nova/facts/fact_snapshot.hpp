// SPDX-License-Identifier: Apache-2.0
//
// The facts that a request's question for placement needs, as one refresh left them. A snapshot never changes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/nova/facts/database/collation.hpp"
#include "core/nova/request/lookups.hpp"

namespace gantry::nova {

// A row of compute_nodes by its names.
struct KnownNode {
  std::string host;
  std::string node;  // hypervisor_hostname
  std::string uuid;
  std::string cell_uuid;
  bool is_in_disabled_cell = false;
};

// The compute nodes of all cells, cell by cell in the order of cell_mappings.
class NodeNames {
 public:
  // `cell_of_host` has the cells' uuids by host, as host_mappings has them.
  NodeNames(std::vector<KnownNode> nodes, std::map<std::string, std::string> cell_of_host, Collation collation);

  NodeNames(const NodeNames&) = delete;  // the maps point into the list
  NodeNames& operator=(const NodeNames&) = delete;

  std::vector<ComputeNodeFacts> find(const std::optional<std::string>& host, const std::optional<std::string>& node,
                                     const std::optional<std::string>& cell_uuid) const;
  // Returns nullptr if no cell has a node with the uuid. If several have, the last enabled cell's.
  const KnownNode* by_uuid(std::string_view uuid) const;
  bool has_disabled_cell() const { return has_disabled_cell_; }  // one with a node

 private:
  std::vector<KnownNode> nodes_;
  Collation collation_;
  std::map<std::string, std::string> mapped_;
  std::unordered_map<std::string_view, std::size_t> by_uuid_;
  std::unordered_multimap<std::string, std::size_t> by_host_, by_node_;  // by the folded name
  bool has_disabled_cell_ = false;
};

class FactSnapshot : public RequestLookups {
 public:
  FactSnapshot(std::shared_ptr<const std::vector<AggregateFacts>> aggregates, std::shared_ptr<const NodeNames> nodes,
               Collation collation, std::int64_t lowest_compute_version)
      : aggregates_(std::move(aggregates)),
        nodes_(std::move(nodes)),
        collation_(collation),
        lowest_compute_version_(lowest_compute_version) {}

  std::span<const AggregateFacts> aggregates() const override { return *aggregates_; }
  Result<std::vector<ComputeNodeFacts>> compute_nodes(const std::optional<std::string>& host,
                                                      const std::optional<std::string>& node,
                                                      const std::optional<std::string>& cell_uuid) const override {
    return nodes_->find(host, node, cell_uuid);
  }
  bool are_equal_in_database(std::string_view a, std::string_view b) const override { return collation_.equal(a, b); }

  std::int64_t lowest_compute_version() const override { return lowest_compute_version_; }

  const std::shared_ptr<const NodeNames>& nodes() const { return nodes_; }

 private:
  std::shared_ptr<const std::vector<AggregateFacts>> aggregates_;
  std::shared_ptr<const NodeNames> nodes_;
  Collation collation_;
  std::int64_t lowest_compute_version_;
};

}  // namespace gantry::nova
