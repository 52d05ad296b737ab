// SPDX-License-Identifier: Apache-2.0
//
// Bytes that placement might answer: as candidates, as a consumer's allocations, as an error, as a token of Keystone.
// Candidates that are read can be claimed. The outcome names what the bytes were read as.
#include "core/encoding/json.hpp"
#include "core/nova/http/keystone_documents.hpp"
#include "core/nova/placement/allocations.hpp"
#include "core/nova/placement/candidates.hpp"
#include "core/nova/placement/claim_run.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

void check(const nova::Candidates& candidates) {
  std::size_t count = 0;
  for (const auto& request : candidates.requests()) {
    const auto claim = nova::new_claim({"consumer", request, "project", "user", ""});
    if (!claim) broken("candidates that cannot be claimed: " + claim.error().message);
    for (const auto& allocation : claim->at("allocations").get_object()) {
      if (!candidates.is_claimable(allocation.key())) broken("a provider of a request that is not claimable");
      ++count;
    }
  }
  if (count < candidates.claimable_count()) broken("a claimable provider without a request");
  if (candidates.is_empty() != (candidates.claimable_count() == 0)) broken("requests without providers");
}

void check(const nova::HeldAllocations& held) {
  if (!held.allocations.empty() && !held.generation) broken("allocations without a generation");
  const auto merged = nova::merge_for_move(held.allocations, held.allocations);
  if (!nova::are_same_allocations(merged, held.allocations)) broken("a merge with itself that changes");
  const auto body = json::write(json::object{{"allocations", merged}, {"consumer_generation", 1}});
  if (!nova::read_held_allocations(body)) broken("allocations that cannot be read again: " + body);
}

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  const auto text = text_of(input);
  const auto candidates = nova::Candidates::read(text);
  if (candidates) check(*candidates);
  if (!candidates && candidates.error().message.empty()) broken("a refusal without a reason");
  const auto held = nova::read_held_allocations(text);
  if (held) check(*held);
  const auto error = nova::read_placement_error({nova::HttpOutcome::Kind::answered, 409, {}, std::string(text), ""});
  const auto token = nova::read_keystone_token(text, {});
  if (candidates) return candidates->is_empty() ? "empty" : "candidates";
  if (held) return "allocations";
  if (token) return "token";
  return error.code.empty() ? "refused" : "error";
}

}  // namespace gantry::fuzz
