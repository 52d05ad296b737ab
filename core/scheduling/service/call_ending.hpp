// SPDX-License-Identifier: Apache-2.0
//
// How a call ends that has run, or that will not run: its changes are committed, a line is logged, and the caller is
// answered.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/scheduling/manager.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/state/idempotency.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// [any thread]
class CallEnding {
 public:
  CallEnding(State& state, IdempotentAnswers& answers) : state_(state), answers_(answers) {}

  // Commits the outcome and answers the call afterwards. An outcome that may be written behind is answered at once,
  // unless the answer itself is kept.
  void finish(const Method& method, MethodCall call, Outcome outcome, Done done);
  // Answers a call that has no result of its own.
  void refuse(std::string_view method, std::string idempotency_key, Error error, const Done& done);

 private:
  // A call that is answered after its commit.
  struct Late {
    MethodCall call;
    Answer reply;
    Done done;
    std::optional<telemetry::Line> line;
  };

  void finish_unchanged(const MethodCall& call, Outcome outcome, const Done& done);
  void finish_behind(MethodCall call, std::size_t kept_bytes, Outcome outcome, Done done);
  // `kept_bytes`: of the answer's stored form; 0: it is not kept.
  void answer(const MethodCall& call, std::size_t kept_bytes, Answer reply, const Done& done);
  // Writes the line about a decision, if there is one. `failure`: why nothing came of it. nullptr: it is as decided.
  void log(std::optional<telemetry::Line>& line, const Error* failure) const;

  State& state_;
  IdempotentAnswers& answers_;
};

}  // namespace gantry::scheduling
