// SPDX-License-Identifier: Apache-2.0
//
// Providers for the tests of the mirror, in a few words.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/nova/mirror/candidate_search.hpp"

namespace gantry::nova::testing {

inline constexpr std::int64_t vcpu = 1;
inline constexpr std::int64_t disk_gb = 2;
inline constexpr std::int64_t network_function = 3;
inline constexpr std::int64_t gold = 11;
inline constexpr std::int64_t shares = 12;

// 00000000-0000-4000-8000-00000000000N
inline std::string uuid_of(std::int64_t number) {
  const auto digits = std::to_string(number);
  return "00000000-0000-4000-8000-" + std::string(12 - digits.size(), '0') + digits;
}

inline InventoryFact inventory(std::int64_t resource_class, std::int64_t total, std::int64_t used = 0) {
  InventoryFact fact;
  fact.resource_class = resource_class;
  fact.total = total;
  fact.max_unit = total;
  fact.used = used;
  return fact;
}

inline ProviderFact provider(std::int64_t id, std::vector<InventoryFact> inventories) {
  ProviderFact fact;
  fact.id = id;
  fact.uuid = uuid_of(id);
  fact.root = id;
  fact.inventories = std::move(inventories);
  return fact;
}

inline ProviderFact child(std::int64_t id, std::int64_t parent, std::int64_t root,
                          std::vector<InventoryFact> inventories) {
  auto fact = provider(id, std::move(inventories));
  fact.parent = parent;
  fact.root = root;
  return fact;
}

inline ProviderChanges names() {
  ProviderChanges changes;
  changes.resource_classes = NameFacts{{vcpu, "VCPU"}, {disk_gb, "DISK_GB"}, {network_function, "SRIOV_NET_VF"}};
  changes.traits = NameFacts{{gold, "CUSTOM_GOLD"}, {shares, "MISC_SHARES_VIA_AGGREGATE"}};
  changes.aggregates = NameFacts{{21, uuid_of(21)}, {22, uuid_of(22)}};
  return changes;
}

inline ProviderState state_of(std::vector<ProviderFact> providers) {
  ProviderState state;
  auto changes = names();
  changes.providers = std::move(providers);
  const auto done = state.apply(std::move(changes));
  EXPECT_TRUE(done) << done.error().message;
  return state;
}

// The ids of the providers that can be claimed, or the word for another answer: "refused", "ask".
inline std::string claimable(const ProviderState& state, std::string_view query) {
  const auto answer = find_candidates(state, query);
  if (answer.kind == MirrorAnswer::Kind::refused) return "refused";
  if (answer.kind == MirrorAnswer::Kind::ask) return "ask";
  std::string ids;
  answer.candidates.claimable().each([&](std::size_t row) {
    ids += (ids.empty() ? "" : " ") + std::to_string(answer.candidates.shape().id(static_cast<ProviderRow>(row)));
  });
  return ids;
}

}  // namespace gantry::nova::testing
