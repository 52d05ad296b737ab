// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/document_load.hpp"

#include <algorithm>

namespace gantry::fleet {

namespace {

void load_host(const DocumentHost& host, Fleet& fleet) {
  // The report first, so that a host's rows come in the order of its entries.
  if (host.compute_node) fleet.restore_compute_node(*host.compute_node);
  if (host.service) fleet.put_service(*host.service);
  if (host.capabilities) fleet.put_capabilities(*host.capabilities);
  for (const auto& instance : host.instances) fleet.put_instance(instance);
}

}  // namespace

void load_document(const Document& document, Fleet& fleet) {
  for (const auto& aggregate : document.aggregates) fleet.put_aggregate(aggregate);
  for (const auto& host : document.hosts) load_host(host, fleet);
  for (const auto& instance : document.instances) fleet.put_instance(instance);
  for (const auto& group : document.groups) fleet.put_group(group);
  // The later of two claims for an instance says where the instance is.
  std::vector<const Claim*> claims;
  for (const auto& host : document.hosts)
    for (const auto& claim : host.claims) claims.push_back(&claim);
  std::stable_sort(claims.begin(), claims.end(),
                   [](const Claim* a, const Claim* b) { return a->created_at < b->created_at; });
  for (const auto* claim : claims) fleet.load_claim(*claim);
}

}  // namespace gantry::fleet
