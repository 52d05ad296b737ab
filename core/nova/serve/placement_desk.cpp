// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/placement_desk.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/encoding/json.hpp"
#include "core/nova/http/configured_login.hpp"
#include "core/nova/http/http_address.hpp"
#include "core/nova/placement/allocations.hpp"
#include "core/nova/request/failure.hpp"

namespace gantry::nova {

namespace {

// The most claims in one call. Placement adds up the amounts of one call.
constexpr std::size_t most_together = 10;

std::set<std::string> providers_of(const std::vector<ClaimRequest>& requests) {
  std::set<std::string> providers;
  for (const auto& request : requests) {
    const auto read = json::parse_object(request.allocation_request);
    const auto* allocations = read ? json::find_object(*read, "allocations") : nullptr;
    if (allocations == nullptr) continue;
    for (const auto& allocation : *allocations) providers.emplace(allocation.key());
  }
  return providers;
}

}  // namespace

Result<std::unique_ptr<PlacementDesk>> PlacementDesk::make(const config::NovaSettings& settings) {
  std::unique_ptr<PlacementDesk> desk(new PlacementDesk);
  Result<void> made;
  desk->thread_.run([&desk, &settings, &made] {
    desk->timers_ = std::make_unique<AsioTimers>(desk->thread_.strand());
    const auto& strand = desk->thread_.strand();
    auto login = configured_login(strand, *desk->timers_, settings.placement, "placement", "placement");
    if (!login) {
      made = std::move(login).error();
      return;
    }
    desk->login_ = std::move(login->login);
    login->http.connections = settings.claim_connections;
    desk->service_.emplace(strand, *desk->login_, login->http);
    CandidateOptions candidates;
    candidates.reuse = settings.candidates_reuse;
    candidates.patience = settings.placement_patience;
    candidates.timeout = settings.placement.timeout;
    desk->questions_.emplace(*desk->service_, *desk->timers_, candidates);
    desk->claims_.emplace(*desk->service_, *desk->timers_, ClaimOptions());
  });
  if (!made) return std::move(made).error();
  return desk;
}

PlacementDesk::~PlacementDesk() {
  thread_.run([this] {
    claims_.reset();
    questions_.reset();
    service_.reset();
    login_.reset();
  });
}

Result<void> PlacementDesk::check_microversions(Clock::time_point deadline) {
  return thread_.wait<Result<void>>(
      [this, deadline](auto done) { nova::check_microversions(*service_, deadline, std::move(done)); });
}

CandidateAnswer PlacementDesk::ask(const CandidateQuestions::Question& question) {
  return thread_.wait<CandidateAnswer>([this, &question](auto done) { questions_->ask(question, std::move(done)); });
}

Result<std::vector<std::string>> PlacementDesk::aggregates_of(const std::string& provider, Clock::time_point deadline) {
  const auto outcome = thread_.wait<HttpOutcome>([this, &provider, deadline](auto done) {
    const auto target = "/resource_providers/" + part_of_target(provider) + "/aggregates";
    service_->call({"GET", target, std::string(microversion::claims), {}, {}, deadline}, std::move(done));
  });
  if (!outcome.is_answered())
    return Error{ErrorCode::unavailable, words_of(outcome), {}}.within("aggregates of " + provider);
  if (outcome.status != 200)
    return raised("ResourceProviderAggregateRetrievalFailed",
                  "Failed to get aggregates for resource provider with UUID " + provider, {{"uuid", provider}});
  std::vector<std::string> aggregates;
  const auto body = json::parse_object(outcome.body);
  const auto* listed = body ? json::find_array(*body, "aggregates") : nullptr;
  const auto is_text = [](const json::value& aggregate) { return aggregate.is_string(); };
  if (listed == nullptr || !std::ranges::all_of(*listed, is_text))
    return Error{ErrorCode::unavailable, "placement answered 200 without a list of the aggregates of " + provider, {}};
  for (const auto& aggregate : *listed) aggregates.emplace_back(aggregate.get_string());
  return aggregates;
}

Result<std::vector<std::string>> PlacementDesk::providers_claimed_by(const std::string& consumer,
                                                                     Clock::time_point deadline) {
  const auto outcome = thread_.wait<HttpOutcome>([this, &consumer, deadline](auto done) {
    service_->call({"GET", allocations_path(consumer), std::string(microversion::allocations), {}, {}, deadline},
                   std::move(done));
  });
  if (!outcome.is_answered() || outcome.status != 200)
    return Error{ErrorCode::unavailable, words_of(outcome), {}}.within("allocations of " + consumer);
  const auto held = read_held_allocations(outcome.body);
  if (!held) return held.error();
  std::vector<std::string> providers;
  for (const auto& allocation : held->allocations) providers.emplace_back(allocation.key());
  return providers;
}

std::vector<ClaimOutcome> PlacementDesk::claim(const std::vector<ClaimRequest>& requests, Clock::time_point deadline) {
  std::vector<ClaimOutcome> outcomes;
  while (outcomes.size() < requests.size()) {
    const auto begin = requests.begin() + static_cast<std::ptrdiff_t>(outcomes.size());
    const auto count = std::min(most_together, requests.size() - outcomes.size());
    auto some = claim_together({begin, begin + static_cast<std::ptrdiff_t>(count)}, deadline);
    const bool all_held = std::ranges::all_of(some, &ClaimOutcome::is_held);
    std::ranges::move(some, std::back_inserter(outcomes));
    if (all_held) continue;
    ClaimOutcome untried;
    untried.reason = "an earlier claim of the same request was not held";
    outcomes.resize(requests.size(), untried);
  }
  return outcomes;
}

std::vector<ClaimOutcome> PlacementDesk::claim_together(std::vector<ClaimRequest> requests,
                                                        Clock::time_point deadline) {
  const auto turn = turns_.wait(providers_of(requests), deadline);
  if (!turn) {
    ClaimOutcome late;
    late.reason = "other claims of the same provider took until the deadline";
    return std::vector<ClaimOutcome>(requests.size(), late);
  }
  return thread_.wait<std::vector<ClaimOutcome>>([this, requests = std::move(requests), deadline](auto done) mutable {
    claims_->claim_together(std::move(requests), deadline, std::move(done));
  });
}

ClaimOutcome PlacementDesk::take_up(ClaimRequest request, Clock::time_point deadline) {
  return thread_.wait<ClaimOutcome>([this, request = std::move(request), deadline](auto done) mutable {
    claims_->take_up(std::move(request), deadline, std::move(done));
  });
}

WithdrawOutcome PlacementDesk::give_back(const ClaimRequest& request, const ClaimOutcome& outcome,
                                         Clock::time_point deadline) {
  return thread_.wait<WithdrawOutcome>([this, &request, &outcome, deadline](auto done) {
    claims_->give_back(request, outcome, deadline, std::move(done));
  });
}

}  // namespace gantry::nova
