// SPDX-License-Identifier: Apache-2.0
#include "core/nova/placement/batch_run.hpp"

#include <utility>

#include "core/nova/placement/claim_run.hpp"

namespace gantry::nova {

BatchRun::BatchRun(Attempt attempt, std::vector<ClaimRequest> requests, Done done)
    : attempt_(attempt), fresh_attempt_(std::move(attempt)), requests_(std::move(requests)), done_(std::move(done)) {}

void BatchRun::start() {
  if (requests_.size() == 1) return claim_next(false);
  json::object body;
  for (const auto& request : requests_) {
    auto claim = new_claim(request);
    // A consumer that comes twice cannot stand in one POST.
    if (!claim || body.contains(request.consumer)) return claim_next(false);
    body[request.consumer] = *std::move(claim);
  }
  body_ = json::write(body);
  post();
}

void BatchRun::post() {
  PlacementCall call{"POST", "/allocations", std::string(microversion::claims), body_, requests_.front().request_id,
                     {}};
  attempt_.call(std::move(call), [self = shared_from_this()](const HttpOutcome& outcome) { self->take(outcome); });
}

void BatchRun::take(const HttpOutcome& outcome) {
  const auto again = [self = shared_from_this()] { self->post(); };
  switch (read_answer(outcome)) {
    case Answer::done: return end({ClaimOutcome::Kind::held, "", "", ""});
    case Answer::lost_race:
      if (attempt_.may_race_again()) return attempt_.race_again(again);
      return claim_next(false);
    case Answer::not_sent:
      if (attempt_.may_retry()) return attempt_.retry(again);
      return end({ClaimOutcome::Kind::not_claimed, words_of(outcome), "", ""});
    case Answer::not_served: return end({ClaimOutcome::Kind::not_claimed, words_of(outcome), "", ""});
    case Answer::unknown: return claim_next(true);
    // Which of them is refused, and whether a consumer moves, shows one by one.
    case Answer::consumer_conflict:
    case Answer::refused: return claim_next(false);
  }
}

void BatchRun::claim_next(bool may_stand) {
  const auto& request = requests_[outcomes_.size()];
  auto done = [self = shared_from_this(), may_stand](ClaimOutcome outcome) {
    // The caller decides again after a refusal. But after a POST that was lost, each claim may stand.
    const bool goes_on = outcome.is_held() || may_stand;
    self->outcomes_.push_back(std::move(outcome));
    if (!goes_on || self->outcomes_.size() == self->requests_.size())
      return self->end({ClaimOutcome::Kind::not_claimed, "an earlier claim of the same request was not held", "", ""});
    self->claim_next(may_stand);
  };
  const auto run = std::make_shared<ClaimRun>(fresh_attempt_, request, std::move(done));
  may_stand ? run->start_with_look_up() : run->start();
}

// Gives the outcome to all that have none.
void BatchRun::end(const ClaimOutcome& outcome) {
  while (outcomes_.size() < requests_.size()) {
    outcomes_.push_back(outcome);
    if (!outcome.is_held()) continue;
    if (const auto claim = new_claim(requests_[outcomes_.size() - 1]))
      outcomes_.back().claimed = json::write(claim->at("allocations"));
  }
  std::exchange(done_, nullptr)(std::move(outcomes_));
}

}  // namespace gantry::nova
