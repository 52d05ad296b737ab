// SPDX-License-Identifier: Apache-2.0
#include "core/nova/placement/claim_run.hpp"

#include <utility>

namespace gantry::nova {

namespace {

// A PUT that was lost may still be under way in placement, between the consumer and its allocations.
constexpr int most_conflicts = 4;

}  // namespace

Result<json::object> new_claim(const ClaimRequest& request) {
  auto body = json::parse_object(request.allocation_request);
  if (!body) return std::move(body).error().within("allocation request of " + request.consumer);
  const auto* const allocations = json::find_object(*body, "allocations");
  if (allocations == nullptr || allocations->empty() || !are_allocations(*allocations)) {
    return Error{ErrorCode::invalid_argument,
                 "allocation request of " + request.consumer + ": expected allocations with resources, found none", ""};
  }
  (*body)["project_id"] = request.project_id;
  (*body)["user_id"] = request.user_id;
  (*body)["consumer_generation"] = nullptr;
  return body;
}

ClaimRun::ClaimRun(Attempt attempt, ClaimRequest request, ClaimDone done)
    : attempt_(std::move(attempt)), request_(std::move(request)), done_(std::move(done)) {}

void ClaimRun::start() {
  if (read_request()) put();
}

void ClaimRun::start_with_look_up() {
  may_stand_ = true;
  if (read_request()) look_up();
}

bool ClaimRun::read_request() {
  auto body = new_claim(request_);
  if (body)
    body_ = *std::move(body);
  else
    done_({ClaimOutcome::Kind::not_claimed, body.error().message, "", ""});
  return !body_.empty();
}

void ClaimRun::put() {
  PlacementCall call{"PUT",
                     allocations_path(request_.consumer),
                     std::string(microversion::claims),
                     json::write(body_),
                     request_.request_id,
                     {}};
  attempt_.call(std::move(call), [self = shared_from_this()](const HttpOutcome& outcome) { self->take_put(outcome); });
}

void ClaimRun::take_put(const HttpOutcome& outcome) {
  switch (read_answer(outcome)) {
    case Answer::done: return finish(ClaimOutcome::Kind::held, "");
    case Answer::consumer_conflict: return take_conflict();
    case Answer::refused: return finish(ClaimOutcome::Kind::refused, words_of(outcome));
    case Answer::lost_race:
      if (!attempt_.may_race_again()) return finish(ClaimOutcome::Kind::refused, words_of(outcome) + " (out of tries)");
      return attempt_.race_again([self = shared_from_this()] { self->put(); });
    case Answer::unknown: may_stand_ = true; return take_absence(outcome, &ClaimRun::look_up);
    case Answer::not_sent: return take_absence(outcome, &ClaimRun::put);
    case Answer::not_served: return take_absence(outcome, nullptr);
  }
}

void ClaimRun::take_conflict() {
  ++conflicts_;
  // A PUT of ours that was lost may be what has changed the consumer.
  if (moves_ && !may_stand_) return finish_conflict();
  look_up();
}

void ClaimRun::look_up() {
  PlacementCall call{
      "GET", allocations_path(request_.consumer), std::string(microversion::allocations), "", request_.request_id, {}};
  attempt_.call(std::move(call),
                [self = shared_from_this()](const HttpOutcome& outcome) { self->take_look_up(outcome); });
}

void ClaimRun::take_look_up(const HttpOutcome& outcome) {
  if (!outcome.is_answered() || outcome.status >= 500) return take_absence(outcome, &ClaimRun::look_up);
  if (outcome.status != 200) return take_absence(outcome, nullptr);
  auto held = read_held_allocations(outcome.body);
  if (!held) {
    return finish(may_stand_ ? ClaimOutcome::Kind::unknown : ClaimOutcome::Kind::not_claimed, held.error().message);
  }
  if (held->allocations.empty()) return go_on_with_nothing();
  go_on_with(*std::move(held));
}

void ClaimRun::go_on_with(HeldAllocations held) {
  if (may_stand_ && are_same_allocations(held.allocations, body_.at("allocations").get_object()))
    return finish(ClaimOutcome::Kind::held, "");
  if (!moves_) return move_from(std::move(held));
  if (!may_stand_ || held.generation != moves_->generation) return finish_conflict();
  retry(&ClaimRun::put);
}

void ClaimRun::go_on_with_nothing() {
  const int most = may_stand_ ? most_conflicts : 1;
  if (moves_ || conflicts_ > most + 1) return finish_conflict();
  // Placement makes the consumer before its allocations; a failure in between leaves the consumer as it was made.
  if (conflicts_ > most) body_["consumer_generation"] = 0;
  if (may_stand_) return retry(&ClaimRun::put);
  put();
}

void ClaimRun::move_from(HeldAllocations held) {
  const auto requested = body_.at("allocations").get_object();
  body_ = {{"allocations", merge_for_move(held.allocations, requested)},
           {"project_id", request_.project_id},
           {"user_id", request_.user_id},
           {"consumer_generation", *held.generation}};
  moves_ = std::move(held);
  // The PUT that was lost had another body.
  may_stand_ = false;
  put();
}

// Placement was not reached, or could not serve: `again`, as long as there is time. nullptr: it will not serve.
void ClaimRun::take_absence(const HttpOutcome& outcome, void (ClaimRun::*again)()) {
  if (again != nullptr && attempt_.may_retry()) return retry(again);
  finish(may_stand_ ? ClaimOutcome::Kind::unknown : ClaimOutcome::Kind::not_claimed, words_of(outcome));
}

void ClaimRun::retry(void (ClaimRun::*step)()) {
  if (!attempt_.may_retry())
    return finish(may_stand_ ? ClaimOutcome::Kind::unknown : ClaimOutcome::Kind::not_claimed, "no time was left");
  attempt_.retry([self = shared_from_this(), step] { ((*self).*step)(); });
}

// Nova's words: its user reads them as the fault of the server.
void ClaimRun::finish_conflict() {
  finish(ClaimOutcome::Kind::consumer_conflict,
         "another process changed the consumer " + request_.consumer +
             " after the report client read the consumer state during the claim ");
}

void ClaimRun::finish(ClaimOutcome::Kind kind, std::string reason) {
  ClaimOutcome outcome{kind, std::move(reason), "", ""};
  if (kind == ClaimOutcome::Kind::held || may_stand_) {
    outcome.claimed = json::write(body_.at("allocations"));
    if (moves_) outcome.former = json::write(moves_->allocations);
  }
  std::exchange(done_, nullptr)(std::move(outcome));
}

}  // namespace gantry::nova
