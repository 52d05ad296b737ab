// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/fact_snapshot.hpp"

#include <algorithm>

namespace gantry::nova {

NodeNames::NodeNames(std::vector<KnownNode> nodes, std::map<std::string, std::string> cell_of_host, Collation collation)
    : nodes_(std::move(nodes)), collation_(collation), mapped_(std::move(cell_of_host)) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto& node = nodes_[i];
    by_uuid_.insert_or_assign(node.uuid, i);
    by_host_.emplace(collation_.folded(node.host), i);
    by_node_.emplace(collation_.folded(node.node), i);
    has_disabled_cell_ = has_disabled_cell_ || node.is_in_disabled_cell;
  }
}

const KnownNode* NodeNames::by_uuid(std::string_view uuid) const {
  const auto found = by_uuid_.find(uuid);
  return found == by_uuid_.end() ? nullptr : &nodes_[found->second];
}

// Nova asks the cell that the host is mapped to, or else each enabled cell, and takes the first cell's answer that is not
// empty. A node that is asked for by its name alone is one row.
std::vector<ComputeNodeFacts> NodeNames::find(const std::optional<std::string>& host,
                                              const std::optional<std::string>& node,
                                              const std::optional<std::string>& cell_uuid) const {
  auto cell = cell_uuid;
  if (const auto mapped = host && !cell ? mapped_.find(*host) : mapped_.end(); mapped != mapped_.end())
    cell = mapped->second;
  std::vector<std::size_t> matches;
  const auto& names = host ? by_host_ : by_node_;
  const auto [first, last] = names.equal_range(collation_.folded(host ? *host : node.value_or("")));
  for (auto at = first; at != last; ++at) {
    const auto& known = nodes_[at->second];
    if ((cell ? known.cell_uuid == *cell : !known.is_in_disabled_cell) &&
        (!node || collation_.equal(known.node, *node)))
      matches.push_back(at->second);
  }
  std::sort(matches.begin(), matches.end());
  std::vector<ComputeNodeFacts> found;
  for (const auto at : matches) {
    const auto& known = nodes_[at];
    if (known.cell_uuid != nodes_[matches.front()].cell_uuid || (node && !found.empty())) break;
    found.push_back({known.host, known.node, known.uuid});
  }
  return found;
}

}  // namespace gantry::nova
