// SPDX-License-Identifier: Apache-2.0
//
// Asks placement for candidates. Equal questions share an answer while it is young.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "core/nova/http/timers.hpp"
#include "core/nova/http/waiters.hpp"
#include "core/nova/placement/candidates.hpp"
#include "core/nova/placement/placement_api.hpp"

namespace gantry::nova {

struct CandidateAnswer {
  enum class Kind {
    found,        // placement has answered. There may be no candidates among the answer
    refused,      // placement refused the question
    unavailable,  // placement could not be asked, or its answer cannot be read
  };

  Kind kind = Kind::unavailable;
  std::shared_ptr<const Candidates> candidates;  // never null; empty unless found
  std::string reason;                            // for the log: the question and placement's words. Empty if found
  bool is_reused = false;  // placement was asked before this question came: no refusal may rest on it
};

struct CandidateOptions {
  std::chrono::milliseconds reuse{1000};      // how long an answer serves equal questions; 0: not at all
  std::chrono::milliseconds patience{10000};  // how long placement is asked again after it was found away
  std::chrono::milliseconds retry_wait{500};  // between two of its attempts
  std::chrono::milliseconds timeout{60000};   // the time for one attempt
  std::size_t kept_answers = 64;
};

// [strand]
class CandidateQuestions {
 public:
  using Done = std::function<void(CandidateAnswer)>;

  enum class Freshness {
    shared,  // an answer that is under way or young will do
    anew,    // placement is asked after this call
  };

  struct Question {
    std::string query;  // without the question mark: "limit=1000&resources=VCPU%3A1"
    std::string request_id;
    Freshness freshness = Freshness::shared;
    Clock::time_point deadline;
    // A number of the facts that the question rests on. Questions of other facts share no answer.
    std::uint64_t facts = 0;
  };

  // `api` and `timers` must outlive this object and the calls under way.
  CandidateQuestions(PlacementApi& api, Timers& timers, CandidateOptions options);
  ~CandidateQuestions();
  CandidateQuestions(const CandidateQuestions&) = delete;
  CandidateQuestions& operator=(const CandidateQuestions&) = delete;

  // Calls `done` once, at once or later, at the deadline at the latest.
  void ask(const Question& question, Done done);

 private:
  class Asked;
  struct Kept {
    CandidateAnswer answer;
    Clock::time_point end;
  };

  // A question's query with the number of its facts.
  using Key = std::pair<std::string, std::uint64_t>;

  void keep(const Key& key, const CandidateAnswer& answer);

  PlacementApi& api_;
  Timers& timers_;
  CandidateOptions options_;
  std::map<Key, std::shared_ptr<Asked>> under_way_;  // the youngest of each query
  std::map<Key, Kept> kept_;
  std::shared_ptr<CandidateQuestions*> self_;  // for calls that outlive this object
};

}  // namespace gantry::nova
