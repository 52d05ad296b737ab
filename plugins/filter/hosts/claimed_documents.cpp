// SPDX-License-Identifier: Apache-2.0
#include "hosts/claimed_documents.hpp"

#include "numa/topology_json.hpp"

namespace filter_driver {

const boost::json::value& claimed_documents::at(std::uint32_t row) const {
  if (count_[row] <= 0) return reported_.at(row);
  if (!claims_) claims_.emplace(view_);
  const auto known = made_.find(row);
  if (known != made_.end()) return known->second;
  return made_.emplace(row, with_claims_(reported_.at(row), *claims_, row)).first->second;
}

boost::json::value topology_with_claims(const boost::json::value& reported, const claimed_resources& claims,
                                        std::uint32_t row) {
  auto topology = read_host_topology(reported);
  if (!topology || !*topology) return reported;
  claims.add_to(**topology, row);
  return to_json(**topology);
}

boost::json::value pools_with_claims(const boost::json::value& reported, const claimed_resources& claims,
                                     std::uint32_t row) {
  auto pools = read_pci_pools(reported);
  if (!pools || !*pools) return reported;
  claims.take_from(**pools, row);
  return to_flat_json(**pools);
}

}  // namespace filter_driver
