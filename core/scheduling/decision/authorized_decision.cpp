// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/authorized_decision.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduling/decision/decision_notes.hpp"
#include "core/scheduling/decision/selection.hpp"

namespace gantry::scheduling {

namespace {

// How often one instance asks the authority for rows again, while other requests take the rows before it.
constexpr int most_attempts = 10;

// The picks of one request on their way to being claimed.
class Confirmation {
 public:
  Confirmation(AuthorizedDecision& decided, std::size_t instances)
      : decided_(decided), held_(instances), has_lost_(false) {}

  bool has_lost() const { return has_lost_; }

  // Claims what is picked and not held yet. True: the request's picks all stand. False: some are lost.
  Result<bool> claim() {
    withdraw([this](std::size_t i) { return held_[i] && *held_[i] != row_of(i); });
    std::vector<std::size_t> asked;
    std::vector<AuthorityPick> picks;
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (held_[i]) continue;
      asked.push_back(i);
      const auto& pinned = decided_.decision->pinned;
      const auto name = pinned.moment.row_name(*pinned.view, row_of(i));
      picks.push_back({decided_.request->spec.instance_uuids[i],
                       std::string(text_at(pinned.moment, *pinned.view, "uuid", row_of(i))), std::string(name.host),
                       std::string(name.node), decided_.decision->sink->placements()[i].pick->providers});
    }
    const auto verdicts = decided_.admission->confirm(picks);
    std::optional<Error> failure;
    bool all = true;
    for (std::size_t at = 0; at < asked.size(); ++at) {
      const auto i = asked[at];
      switch (verdicts[at].kind) {
        case AuthorityVerdict::Kind::held: held_[i] = row_of(i); break;
        case AuthorityVerdict::Kind::refused:
          decided_.request->lost.insert({static_cast<std::uint32_t>(i), row_of(i)});
          has_lost_ = true;
          all = false;
          break;
        case AuthorityVerdict::Kind::untried: all = false; break;
        case AuthorityVerdict::Kind::failed:
          if (!failure) failure = verdicts[at].error;
          break;
      }
    }
    if (!failure) return all;
    withdraw_all();
    return *std::move(failure);
  }

  void withdraw_all() {
    withdraw([this](std::size_t i) { return held_[i].has_value(); });
  }

 private:
  std::uint32_t row_of(std::size_t i) const { return decided_.decision->sink->placements()[i].pick->row; }

  template <class Which>
  void withdraw(Which which) {
    std::vector<std::string> uuids;
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (!which(i)) continue;
      uuids.push_back(decided_.request->spec.instance_uuids[i]);
      held_[i].reset();
    }
    if (!uuids.empty()) decided_.admission->withdraw(uuids);
  }

  AuthorizedDecision& decided_;
  std::vector<std::optional<std::uint32_t>> held_;  // by instance: the row that the authority holds for it
  bool has_lost_;
};

class Deciding {
 public:
  Deciding(State& state, const MethodCall& call, const BuildRequest& build)
      : state_(state), call_(call), build_(build) {}

  Result<AuthorizedDecision> run(const json::object& spec) {
    bool anew = false;
    for (;;) {
      auto tried = attempt(spec, anew);
      if (tried) return keep(std::move(decided_), nullptr);
      if (tried.error().code != ErrorCode::no_valid_host || !may_find_more(anew) ||
          std::chrono::steady_clock::now() >= call_.deadline) {
        keep(std::move(decided_), &tried.error());
        return std::move(tried).error();
      }
      anew = true;
    }
  }

 private:
  // Whether another attempt may succeed where one has found no host. The rows of the authority were free when it named
  // them: where it then refused one, others were faster, and may have left another row. Several instances may have taken
  // the room from each other.
  bool may_find_more(bool was_anew) const {
    if (!was_anew) return has_lost_ || (decided_.admission && !decided_.admission->is_anew());
    return has_lost_ && decided_.request->spec.num_instances == 1 && attempts_ < most_attempts;
  }

  // Admits, decides and confirms once.
  Result<void> attempt(const json::object& spec, bool anew) {
    decided_ = {};
    has_lost_ = false;
    refused_.reset();
    ++attempts_;
    auto admission = state_.parts.authority->admit(
        {call_.context, spec, call_.request_id, call_.authority_call.get(), call_.deadline, anew});
    if (!admission) return std::move(admission).error();
    decided_.admission = *std::move(admission);
    auto request = build_(decided_.admission->spec());
    if (!request) return std::move(request).error();
    decided_.request = *std::move(request);
    decided_.request->refused = &refused_;
    if (auto refusal = decided_.admission->refusal()) return *std::move(refusal);
    decided_.request->at = Instant::now(state_);
    const auto& moment = decided_.request->at->moment;
    if (decided_.admission->is_bounded())
      decided_.request->bounds = bounds_of(*decided_.admission, moment, *moment.view("compute"));
    if (auto made = decide_once(); !made) return made;
    return confirm();
  }

  Result<void> decide_once() {
    // The claims of the decision before are given back, or they would stand in the way of the same picks.
    decided_.decision.reset();
    auto decision = decide(state_, call_, *decided_.request);
    if (!decision) return std::move(decision).error();
    decided_.decision = *std::move(decision);
    return {};
  }

  Result<void> confirm() {
    const auto& request = *decided_.request;
    const bool is_claimed = request.mode != ClaimMode::nothing || decided_.admission->confirms_dry_runs();
    if (!is_claimed || request.spec.instance_uuids.empty()) return {};
    Confirmation confirmation(decided_, request.spec.num_instances);
    for (;;) {
      auto claimed = confirmation.claim();
      has_lost_ = has_lost_ || confirmation.has_lost();
      if (!claimed) return std::move(claimed).error();
      if (*claimed) return {};
      if (auto again = decide_once(); !again) {
        confirmation.withdraw_all();
        return again;
      }
    }
  }

  void keep_note(const AuthorizedDecision& decided, const Error* error) {
    if (!state_.decisions.is_kept() || decided.request->is_question) return;
    auto note = refused_           ? *std::move(refused_)
                : decided.decision ? note_of(call_, *decided.request, *decided.decision, error)
                : error != nullptr ? note_of_refusal(state_, call_, *decided.request, *error)
                                   : DecisionNote();
    if (decided.admission) note.authority = json::write(decided.admission->record());
    state_.decisions.add(std::move(note));
  }

  // Keeps the record. Returns the decision.
  AuthorizedDecision keep(AuthorizedDecision decided, const Error* error) {
    if (!decided.request) return decided;
    if (call_.authority_call != nullptr && call_.authority_call->is_quiet()) return decided;
    keep_note(decided, error);
    if (decided.request->spec.instance_uuids.empty()) return decided;
    json::object record;
    if (decided.decision) {
      record = decided.decision->record(*decided.request, call_);
    } else if (error != nullptr && !error->details.empty()) {
      if (auto details = json::parse_object(error->details)) record = *std::move(details);
    }
    record["time"] = time_json(now_nanoseconds());
    record["request_id"] = call_.request_id;
    record["project_id"] = decided.request->spec.project_id;
    record["outcome"] = error == nullptr ? "placed" : std::string(name_of(error->code));
    if (error != nullptr && !record.contains("reason")) record["reason"] = error->message;
    record["attempts"] = attempts_;
    if (decided.admission) {
      for (auto& member : decided.admission->record()) record[member.key()] = std::move(member.value());
    }
    state_.recent_decisions.add(decided.request->spec.instance_uuids, json::write(record));
    return decided;
  }

  State& state_;
  const MethodCall& call_;
  const BuildRequest& build_;
  AuthorizedDecision decided_;
  std::optional<DecisionNote> refused_;  // the note of the latest attempt
  int attempts_ = 0;
  bool has_lost_ = false;  // in the latest attempt the authority has refused a pick
};

}  // namespace

Result<AuthorizedDecision> decide_with_authority(State& state, const MethodCall& call, const json::object& spec,
                                                 const BuildRequest& build) {
  return Deciding(state, call, build).run(spec);
}

}  // namespace gantry::scheduling
