// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/claims/claim_stack.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gantry::fleet {

bool is_on_row_of(const Claim& a, const Claim& b) {
  return a.topic == b.topic && a.host == b.host && a.node == b.node;
}

bool has_same_key(const Claim& a, const Claim& b) {
  return a.consumer == b.consumer && a.id == b.id && is_on_row_of(a, b);
}

ClaimStack::iterator find_id(ClaimStack& stack, std::uint64_t id) {
  return std::find_if(stack.begin(), stack.end(), [id](const TrackedClaim& claim) { return claim.id == id; });
}

void remove_id(ClaimStack& stack, std::uint64_t id) {
  const auto found = find_id(stack, id);
  if (found == stack.end()) return;
  const auto parent = found->replaced_by;
  stack.erase(found);
  for (auto& claim : stack) {
    if (claim.replaced_by == id) claim.replaced_by = parent;
  }
}

ClaimStack joined(ClaimStack a, ClaimStack b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  auto& older = a.back().id < b.back().id ? a : b;
  auto& newer = &older == &a ? b : a;
  older.back().replaced_by = newer.back().id;
  std::move(older.begin(), older.end(), std::back_inserter(newer));
  std::sort(newer.begin(), newer.end(), [](const TrackedClaim& x, const TrackedClaim& y) { return x.id < y.id; });
  return std::move(newer);
}

std::vector<ClaimStack> parted(ClaimStack stack) {
  std::vector<ClaimStack> parts;  // each the newest first
  for (auto claim = stack.rbegin(); claim != stack.rend(); ++claim) {
    const auto has_claim = [&claim](ClaimStack& part) {
      return find_id(part, claim->replaced_by) != part.end() || has_same_key(part.front().claim, claim->claim);
    };
    auto part = std::find_if(parts.begin(), parts.end(), has_claim);
    if (part == parts.end()) part = parts.insert(part, ClaimStack());
    part->push_back(std::move(*claim));
  }
  for (auto& part : parts) std::reverse(part.begin(), part.end());
  std::reverse(parts.begin(), parts.end());
  return parts;
}

bool is_stored(const TrackedClaim& replaced, const ClaimStack& all_replaced, const TrackedClaim& newest) {
  if (replaced.state != ClaimState::held || newest.state != ClaimState::tried) return false;
  auto parent = replaced.replaced_by;
  for (const auto& newer : all_replaced) {
    if (newer.id != parent) continue;
    if (newer.state != ClaimState::tried) return false;
    parent = newer.replaced_by;
  }
  return true;
}

}  // namespace gantry::fleet
