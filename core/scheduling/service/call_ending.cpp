// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/call_ending.hpp"

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "core/scheduling/service/audit.hpp"
#include "core/scheduling/state/claim_storing.hpp"

namespace gantry::scheduling {

void CallEnding::refuse(std::string_view method, std::string idempotency_key, Error error, const Done& done) {
  state_.parts.counters->add("calls", method, 1);
  state_.parts.counters->add("errors", name_of(error.code), 1);
  MethodCall call;
  call.idempotency_key = std::move(idempotency_key);
  answer(call, 0, std::move(error), done);
}

void CallEnding::finish(const Method& method, MethodCall call, Outcome outcome, Done done) {
  state_.parts.counters->add("calls", method.name, 1);
  if (!outcome.reply) state_.parts.counters->add("errors", name_of(outcome.reply.error().code), 1);
  store_claims(outcome.claims, outcome.batch);
  // The answer is kept with what the call changed; what changed nothing may be asked again.
  std::size_t kept_bytes = 0;
  if (!call.idempotency_key.empty() && is_final(outcome.reply) && !outcome.batch.empty()) {
    outcome.batch.push_back(answers_.to_store(call, outcome.reply, now_nanoseconds()));
    kept_bytes = outcome.batch.back().key.size() + outcome.batch.back().document->size();
  }
  if (outcome.batch.empty() && !outcome.in_turn) return finish_unchanged(call, std::move(outcome), done);
  if (outcome.write_behind) return finish_behind(std::move(call), kept_bytes, std::move(outcome), std::move(done));
  const auto changes_lock = std::move(outcome.changes_lock);
  const auto claims = std::make_shared<fleet::ClaimChanges>(std::move(outcome.claims));
  Origin origin{call.request_id, outcome.events.empty() ? std::string() : caller_text(call)};
  const auto ended = std::chrono::steady_clock::now();
  // Only for its idempotency key; otherwise it ends here and not on the thread that all commits wait for.
  auto kept = call.idempotency_key.empty() ? MethodCall() : std::move(call);
  state_.parts.store.submit(
      std::move(outcome.batch),
      [this, kept_bytes, ended, call = std::move(kept), origin = std::move(origin), reply = std::move(outcome.reply),
       claims, committed = std::move(outcome.committed), events = std::move(outcome.events),
       line = std::move(outcome.line), done = std::move(done)](Result<void> stored) mutable {
        state_.instruments->commit_wait.observe_since(ended);
        log(line, stored ? nullptr : &stored.error());
        if (!stored) {
          answer(call, 0, Answer(std::move(stored).error().within("nothing was changed")), done);
          return;
        }
        claims->commit();
        if (committed) committed();
        if (!events.empty()) tell(state_, std::move(events), origin);
        answer(call, kept_bytes, std::move(reply), done);
      },
      [claims, undo = std::move(outcome.undo)] {
        if (undo) undo();
        claims->roll_back();
      });
}

// Ends a call that waits for no commit.
void CallEnding::finish_unchanged(const MethodCall& call, Outcome outcome, const Done& done) {
  if (outcome.changes_lock) outcome.changes_lock.unlock();
  outcome.claims.commit();
  if (outcome.committed) outcome.committed();
  log(outcome.line, outcome.reply ? nullptr : &outcome.reply.error());
  if (!outcome.events.empty()) tell(state_, std::move(outcome.events), {call.request_id, caller_text(call)});
  answer(call, 0, std::move(outcome.reply), done);
}

void CallEnding::finish_behind(MethodCall call, std::size_t kept_bytes, Outcome outcome, Done done) {
  const auto claims = std::make_shared<fleet::ClaimChanges>(std::move(outcome.claims));
  const auto finish_claims = [claims, logger = state_.parts.logger](const Result<void>& stored) {
    if (stored) return claims->commit();
    logger->write(telemetry::Level::error, "not stored", {{"what", "claims"}, {"reason", stored.error().message}});
  };
  auto undo = [claims] { claims->retry_later(); };
  auto& store = state_.parts.store;
  if (kept_bytes != 0) {
    // The answer waits for its commit: a repeat must be answered alike after a restart, too.
    auto late = std::make_shared<Late>(
        Late{std::move(call), std::move(outcome.reply), std::move(done), std::move(outcome.line)});
    auto answer_late = [this, kept_bytes, late, finish_claims](const Result<void>& stored) {
      finish_claims(stored);
      log(late->line, nullptr);
      answer(late->call, kept_bytes, std::move(late->reply), late->done);
    };
    return store.submit(std::move(outcome.batch), std::move(answer_late), std::move(undo));
  }
  store.submit_behind(std::move(outcome.batch), finish_claims, std::move(undo));
  outcome.changes_lock.unlock();
  log(outcome.line, nullptr);
  answer(call, kept_bytes, std::move(outcome.reply), done);
}

void CallEnding::log(std::optional<telemetry::Line>& line, const Error* failure) const {
  if (!line) return;
  if (failure != nullptr) {
    line->level = telemetry::Level::warning;
    line->message = line->message == "audit" ? "audit: not done" : "not scheduled";
    std::erase_if(line->fields, [](const auto& field) { return field.key == "reason"; });
    line->fields.push_back({"reason", failure->message});
  }
  state_.parts.logger->write(line->level, line->message, line->fields);
}

void CallEnding::answer(const MethodCall& call, std::size_t kept_bytes, Answer reply, const Done& done) {
  if (!call.idempotency_key.empty()) answers_.finish(call, reply, kept_bytes, steady_nanoseconds());
  done(std::move(reply));
}

}  // namespace gantry::scheduling
