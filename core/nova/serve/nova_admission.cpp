// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/nova_admission.hpp"

#include <algorithm>
#include <utility>

#include "core/nova/placement/placement_api.hpp"
#include "core/nova/request/device_groups.hpp"
#include "core/nova/request/failure.hpp"

namespace gantry::nova {

namespace {

using scheduling::AuthorityPick;
using scheduling::AuthorityVerdict;

// The time to give a claim back. It does not depend on the request's deadline.
constexpr std::chrono::seconds give_back_time{20};

std::string_view name_of(ClaimOutcome::Kind kind) {
  switch (kind) {
    case ClaimOutcome::Kind::held: return "held";
    case ClaimOutcome::Kind::refused: return "refused";
    case ClaimOutcome::Kind::consumer_conflict: return "consumer_conflict";
    case ClaimOutcome::Kind::not_claimed: return "not_claimed";
    case ClaimOutcome::Kind::unknown: return "unknown";
  }
  return "unknown";
}

// Nova says nothing of the reason if placement gives no candidates, and neither if it cannot be asked.
Error no_host_without_reason() {
  return raised("NoValidHost", "No valid host was found. ");
}

// The providers that a driver has chosen for some groups leave none to the others.
AuthorityVerdict no_allocation_request() {
  return {AuthorityVerdict::Kind::refused,
          {ErrorCode::no_valid_host, "placement has no candidate there with the chosen providers", {}}};
}

// Nova's words for a consumer that changes under the claim.
Error update_failed(const ClaimRequest& request, const std::string& reason) {
  return {ErrorCode::failed_precondition,
          "Failed to update allocations for consumer " + request.consumer + ". Error: " + reason,
          json::write(json::object{{"exception", "AllocationUpdateFailed"},
                                   {"kwargs", {{"consumer_uuid", request.consumer}, {"error", reason}}}})};
}

}  // namespace

NovaAdmission::NovaAdmission(AdmissionParts parts, json::object spec, CellBounds cells, Claimant claimant,
                             CandidateRows rows, bool is_anew, std::string why_none)
    : parts_(parts),
      spec_(std::move(spec)),
      cells_(std::move(cells)),
      claimant_(std::move(claimant)),
      rows_(std::move(rows)),
      groups_(rows_->is_empty() ? std::vector<std::string>() : device_groups(spec_)),
      is_anew_(is_anew),
      why_none_(std::move(why_none)) {}

NovaAdmission::NovaAdmission(AdmissionParts parts, json::object spec, CellBounds cells)
    : parts_(parts), spec_(std::move(spec)), cells_(std::move(cells)) {}

void NovaAdmission::add_candidates(std::string_view row, scheduling::RowOfCandidates& to) const {
  std::vector<scheduling::RowOfCandidates::Provider> providers;
  std::vector<gantry_slice> groups;
  rows_->each_choices(row, groups_, [&](const CandidateChoices& choices) {
    providers.clear();
    groups.clear();
    for (const auto& each : choices.providers) providers.push_back({each.uuid, each.room});
    for (const auto& each : choices.groups) groups.push_back({each.begin, each.count});
    to.add(providers, groups);
  });
}

std::string NovaAdmission::why_not_eligible() const {
  if (!cells_.is_bounded()) return "placement has no candidates on the other hosts";
  const std::string cells = "the other hosts are in a cell that is disabled or that the request must not leave for";
  return rows_ ? cells + ", or placement has no candidates on them" : cells;
}

std::optional<Error> NovaAdmission::refusal() const {
  if (!rows_ || !rows_->is_empty()) return std::nullopt;
  auto error = no_host_without_reason();
  error.details = json::write(json::object{{"exception", "NoValidHost"},
                                           {"reason", why_none_.empty() ? "placement has no candidates" : why_none_}});
  return error;
}

json::object NovaAdmission::record() const {
  json::object record{{"claims", claims_}};
  if (rows_) {
    record["candidates"] = json::object{{"seen", rows_->seen_count()},
                                        {"claimable", rows_->claimable_count()},
                                        {"reused", !is_anew_},
                                        {"source", rows_->source()}};
  }
  return record;
}

std::string NovaAdmission::claim_text(std::string_view row, const scheduling::GroupProviders& providers) const {
  auto request = rows_ ? rows_->request_of(row, providers) : std::string();
  return request.empty() ? "null" : request;
}

std::string_view NovaAdmission::claim_version() const {
  return rows_ ? microversion::claims : std::string_view();
}

ClaimRequest NovaAdmission::request_for(const AuthorityPick& pick) const {
  return {pick.instance_uuid, rows_->request_of(pick.row, pick.providers), claimant_.project_id, claimant_.user_id,
          claimant_.request_id};
}

std::vector<AuthorityVerdict> NovaAdmission::confirm(std::span<const AuthorityPick> picks) {
  timer_.end("decision");
  if (!rows_) return std::vector<AuthorityVerdict>(picks.size(), {AuthorityVerdict::Kind::held, {}});
  if (parts_.rehearsal != nullptr) return rehearse(picks);
  std::vector<ClaimRequest> requests;
  for (const auto& pick : picks) {
    auto request = request_for(pick);
    if (request.allocation_request.empty()) break;
    requests.push_back(std::move(request));
    if (claimant_.journal != nullptr) claimant_.journal->note({requests.back(), {}});
  }
  timer_.end("journal");
  auto outcomes = requests.empty() ? std::vector<ClaimOutcome>() : parts_.placement.claim(requests, claimant_.deadline);
  timer_.end("claim");
  // Claims are tried in their order, up to the first that is refused, or that there is no allocation request for.
  const bool some_refused =
      std::ranges::any_of(outcomes, [](const auto& outcome) { return outcome.kind == ClaimOutcome::Kind::refused; });
  std::vector<AuthorityVerdict> verdicts;
  for (std::size_t i = 0; i < picks.size(); ++i) {
    if (i >= requests.size()) {
      const bool is_without = i == requests.size() && !some_refused;
      verdicts.push_back(is_without ? no_allocation_request() : AuthorityVerdict{AuthorityVerdict::Kind::untried, {}});
      continue;
    }
    if (some_refused && outcomes[i].kind == ClaimOutcome::Kind::not_claimed) {
      verdicts.push_back({AuthorityVerdict::Kind::untried, {}});
      continue;
    }
    json::object claim{{"instance_uuid", picks[i].instance_uuid},
                       {"host", picks[i].host},
                       {"node", picks[i].node},
                       {"provider", picks[i].row},
                       {"outcome", name_of(outcomes[i].kind)}};
    if (!outcomes[i].reason.empty()) claim["reason"] = outcomes[i].reason;
    claims_.push_back(std::move(claim));
    verdicts.push_back(take(requests[i], std::move(outcomes[i])));
  }
  return verdicts;
}

std::vector<AuthorityVerdict> NovaAdmission::rehearse(std::span<const AuthorityPick> picks) {
  std::vector<std::string> together;
  for (const auto& held : rehearsed_) together.push_back(held.second);
  std::vector<AuthorityVerdict> verdicts;
  bool some_refused = false;
  for (const auto& pick : picks) {
    if (some_refused) {
      verdicts.push_back({AuthorityVerdict::Kind::untried, {}});
      continue;
    }
    together.push_back(rows_->request_of(pick.row, pick.providers));
    if (parts_.rehearsal->has_room_for(together)) {
      rehearsed_[pick.instance_uuid] = together.back();
      verdicts.push_back({AuthorityVerdict::Kind::held, {}});
      continue;
    }
    some_refused = true;
    verdicts.push_back({AuthorityVerdict::Kind::refused,
                        {ErrorCode::no_valid_host, "the instances of the request have no room there together", {}}});
  }
  return verdicts;
}

AuthorityVerdict NovaAdmission::take(const ClaimRequest& request, ClaimOutcome outcome) {
  parts_.counters.add("nova_claims", name_of(outcome.kind), 1);
  switch (outcome.kind) {
    case ClaimOutcome::Kind::held: {
      const auto& note = held_.insert_or_assign(request.consumer, ClaimNote{request, std::move(outcome)}).first->second;
      // The note names what a moving consumer held before: only the claim is given back later.
      if (claimant_.journal != nullptr && !note.outcome.former.empty()) claimant_.journal->note(note);
      return {AuthorityVerdict::Kind::held, {}};
    }
    case ClaimOutcome::Kind::refused:
      return {AuthorityVerdict::Kind::refused, {ErrorCode::no_valid_host, std::move(outcome.reason), {}}};
    case ClaimOutcome::Kind::consumer_conflict:
      return {AuthorityVerdict::Kind::failed, update_failed(request, outcome.reason)};
    case ClaimOutcome::Kind::unknown: give_back({request, outcome}); [[fallthrough]];
    case ClaimOutcome::Kind::not_claimed: break;
  }
  parts_.logger.write(
      telemetry::Level::error, "placement could not be asked for a claim",
      {{"request_id", claimant_.request_id}, {"instance", request.consumer}, {"reason", outcome.reason}});
  return {AuthorityVerdict::Kind::failed, no_host_without_reason()};
}

void NovaAdmission::withdraw(std::span<const std::string> instance_uuids) {
  for (const auto& uuid : instance_uuids) {
    rehearsed_.erase(uuid);
    const auto held = held_.extract(uuid);
    if (!held.empty()) give_back(held.mapped());
  }
}

void NovaAdmission::give_back(const ClaimNote& note) {
  const auto outcome = parts_.placement.give_back(note.request, note.outcome, Clock::now() + give_back_time);
  if (outcome.kind != WithdrawOutcome::Kind::failed) return;
  parts_.counters.add("nova_claims", "not_given_back", 1);
  parts_.logger.write(
      telemetry::Level::error, "a claim could not be given back",
      {{"request_id", claimant_.request_id}, {"instance", note.request.consumer}, {"reason", outcome.reason}});
}

}  // namespace gantry::nova
