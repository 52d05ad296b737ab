// SPDX-License-Identifier: Apache-2.0
#include "core/nova/placement/withdrawal.hpp"

#include <utility>

namespace gantry::nova {

GiveBack::GiveBack(Attempt attempt, std::string consumer, std::string request_id, json::object claimed,
                   json::object former, WithdrawDone done)
    : attempt_(std::move(attempt)),
      consumer_(std::move(consumer)),
      request_id_(std::move(request_id)),
      claimed_(std::move(claimed)),
      former_(std::move(former)),
      done_(std::move(done)) {}

void GiveBack::look_up() {
  PlacementCall call{"GET", allocations_path(consumer_), std::string(microversion::allocations), "", request_id_, {}};
  attempt_.call(std::move(call),
                [self = shared_from_this()](const HttpOutcome& outcome) { self->take_look_up(outcome); });
}

void GiveBack::take_look_up(const HttpOutcome& outcome) {
  if (!outcome.is_answered() || outcome.status >= 500) return retry_or_fail(outcome);
  if (outcome.status != 200) return finish(WithdrawOutcome::Kind::failed, words_of(outcome));
  const auto held = read_held_allocations(outcome.body);
  if (!held) return finish(WithdrawOutcome::Kind::failed, held.error().message);
  const auto gone = may_be_done_ ? WithdrawOutcome::Kind::withdrawn : WithdrawOutcome::Kind::nothing;
  if (are_same_allocations(held->allocations, claimed_) && !claimed_.empty()) return put(*held);
  if (held->allocations.empty() || are_same_allocations(held->allocations, former_)) return finish(gone);
  finish(WithdrawOutcome::Kind::changed);
}

void GiveBack::put(const HeldAllocations& held) {
  const json::object body{{"allocations", former_},
                          {"project_id", held.project_id},
                          {"user_id", held.user_id},
                          {"consumer_generation", held.generation.value_or(0)}};
  PlacementCall call{
      "PUT", allocations_path(consumer_), std::string(microversion::allocations), json::write(body), request_id_, {}};
  attempt_.call(std::move(call), [self = shared_from_this()](const HttpOutcome& outcome) { self->take_put(outcome); });
}

void GiveBack::take_put(const HttpOutcome& outcome) {
  switch (read_answer(outcome)) {
    case Answer::done: return finish(WithdrawOutcome::Kind::withdrawn);
    case Answer::unknown: may_be_done_ = true; return retry_or_fail(outcome);
    case Answer::not_sent:
    case Answer::consumer_conflict: return retry_or_fail(outcome);
    case Answer::lost_race:
      if (!attempt_.may_race_again()) return finish(WithdrawOutcome::Kind::failed, words_of(outcome));
      return attempt_.race_again([self = shared_from_this()] { self->look_up(); });
    case Answer::refused:
    case Answer::not_served: return finish(WithdrawOutcome::Kind::failed, words_of(outcome));
  }
}

void GiveBack::retry_or_fail(const HttpOutcome& outcome) {
  if (!attempt_.may_retry()) return finish(WithdrawOutcome::Kind::failed, words_of(outcome));
  attempt_.retry([self = shared_from_this()] { self->look_up(); });
}

void GiveBack::finish(WithdrawOutcome::Kind kind, std::string reason) {
  std::exchange(done_, nullptr)({kind, std::move(reason)});
}

Deletion::Deletion(Attempt attempt, std::string consumer, std::string request_id, WithdrawDone done)
    : attempt_(std::move(attempt)),
      consumer_(std::move(consumer)),
      request_id_(std::move(request_id)),
      done_(std::move(done)) {}

void Deletion::start() {
  PlacementCall call{"DELETE", allocations_path(consumer_), "", "", request_id_, {}};
  attempt_.call(std::move(call), [self = shared_from_this()](const HttpOutcome& outcome) { self->take(outcome); });
}

void Deletion::take(const HttpOutcome& outcome) {
  const auto answer = read_answer(outcome);
  const auto again = [self = shared_from_this()] { self->start(); };
  const bool is_gone = outcome.is_answered() && outcome.status == 404;
  if (answer == Answer::done || (is_gone && may_be_done_)) return done_({WithdrawOutcome::Kind::withdrawn, ""});
  if (is_gone) return done_({WithdrawOutcome::Kind::nothing, ""});
  if (answer == Answer::unknown) may_be_done_ = true;
  const bool is_absent = answer == Answer::unknown || answer == Answer::not_sent;
  if (is_absent && attempt_.may_retry()) return attempt_.retry(again);
  if (answer == Answer::lost_race && attempt_.may_race_again()) return attempt_.race_again(again);
  done_({WithdrawOutcome::Kind::failed, words_of(outcome)});
}

}  // namespace gantry::nova
