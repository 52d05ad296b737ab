// SPDX-License-Identifier: Apache-2.0
#include "core/nova/placement/candidate_questions.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace gantry::nova {

namespace {

CandidateAnswer no_candidates(CandidateAnswer::Kind kind, const std::string& query, const std::string& words) {
  static const auto nothing = std::make_shared<const Candidates>();
  return {kind, nothing, "no candidates for " + query + ": " + words, false};
}

CandidateAnswer read_answer(const std::string& query, const HttpOutcome& outcome) {
  using Kind = CandidateAnswer::Kind;
  if (!outcome.is_answered() || outcome.status != 200) {
    // The client's own faults, but those of its token and of too many requests.
    const bool is_refusal = outcome.is_answered() && outcome.status >= 400 && outcome.status < 500 &&
                            outcome.status != 401 && outcome.status != 408 && outcome.status != 429;
    return no_candidates(is_refusal ? Kind::refused : Kind::unavailable, query, words_of(outcome));
  }
  auto candidates = Candidates::read(outcome.body);
  if (!candidates) return no_candidates(Kind::unavailable, query, candidates.error().message);
  return {Kind::found, std::make_shared<const Candidates>(*std::move(candidates)), "", false};
}

}  // namespace

// One question under way to placement, and all who wait for its answer.
class CandidateQuestions::Asked : public std::enable_shared_from_this<Asked> {
 public:
  Asked(CandidateQuestions& owner, const Question& question)
      : owner_(owner.self_),
        api_(owner.api_),
        timers_(owner.timers_),
        options_(owner.options_),
        query_(question.query),
        facts_(question.facts),
        request_id_(question.request_id),
        waiters_(owner.timers_) {}

  void add(Clock::time_point deadline, Done done) {
    waiters_.add(deadline,
                 no_candidates(CandidateAnswer::Kind::unavailable, query_,
                               why_.empty() ? "placement gave no answer until the deadline" : why_),
                 std::move(done));
  }

  void send() {
    PlacementCall call{"GET",       "/allocation_candidates?" + query_, std::string(microversion::claims), "",
                       request_id_, timers_.now() + options_.timeout};
    api_.call(std::move(call), [self = shared_from_this()](const HttpOutcome& outcome) { self->take(outcome); });
  }

 private:
  void take(const HttpOutcome& outcome) {
    const auto answer = read_answer(query_, outcome);
    if (answer.kind == CandidateAnswer::Kind::unavailable && may_repeat()) {
      // Not the time of the question: a placement that ends may hold a connection for long before that.
      if (!away_since_) away_since_ = timers_.now();
      why_ = words_of(outcome);
      retry_ = timers_.at(timers_.now() + options_.retry_wait, [self = shared_from_this()] { self->send(); });
      return;
    }
    if (auto* const owner = *owner_) {
      const auto found = owner->under_way_.find({query_, facts_});
      if (found != owner->under_way_.end() && found->second.get() == this) {
        owner->under_way_.erase(found);
        owner->keep({query_, facts_}, answer);
      }
    }
    waiters_.answer(answer);
  }

  bool may_repeat() const {
    return *owner_ != nullptr && !waiters_.is_empty() &&
           timers_.now() + options_.retry_wait < away_since_.value_or(timers_.now()) + options_.patience;
  }

  std::shared_ptr<CandidateQuestions*> owner_;
  PlacementApi& api_;
  Timers& timers_;
  CandidateOptions options_;
  std::string query_;
  std::uint64_t facts_;
  std::string request_id_;
  std::optional<Clock::time_point> away_since_;
  std::string why_;
  Timers::Handle retry_;
  Waiters<CandidateAnswer> waiters_;
};

CandidateQuestions::CandidateQuestions(PlacementApi& api, Timers& timers, CandidateOptions options)
    : api_(api), timers_(timers), options_(options), self_(std::make_shared<CandidateQuestions*>(this)) {}

CandidateQuestions::~CandidateQuestions() {
  *self_ = nullptr;
}

void CandidateQuestions::ask(const Question& question, Done done) {
  const Key key{question.query, question.facts};
  if (question.freshness == Freshness::shared) {
    const auto kept = kept_.find(key);
    if (kept != kept_.end() && timers_.now() < kept->second.end) return done(kept->second.answer);
    const auto under_way = under_way_.find(key);
    if (under_way != under_way_.end()) {
      const auto as_reused = [done = std::move(done)](CandidateAnswer answer) {
        answer.is_reused = true;
        done(std::move(answer));
      };
      return under_way->second->add(question.deadline, as_reused);
    }
  }
  const auto asked = std::make_shared<Asked>(*this, question);
  asked->add(question.deadline, std::move(done));
  under_way_[key] = asked;
  asked->send();
}

// Keeps only candidates: a refusal must come from placement itself.
void CandidateQuestions::keep(const Key& key, const CandidateAnswer& answer) {
  const auto now = timers_.now();
  std::erase_if(kept_, [now](const auto& entry) { return entry.second.end <= now; });
  kept_.erase(key);
  if (answer.kind != CandidateAnswer::Kind::found || answer.candidates->is_empty()) return;
  if (kept_.size() >= options_.kept_answers) return;
  CandidateAnswer reused = answer;
  reused.is_reused = true;
  kept_.emplace(key, Kept{std::move(reused), now + options_.reuse});
}

}  // namespace gantry::nova
