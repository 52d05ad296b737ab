// SPDX-License-Identifier: Apache-2.0
#include "core/nova/placement/attempt.hpp"

#include <algorithm>
#include <utility>

#include "core/encoding/random.hpp"

namespace gantry::nova {

namespace {

double random_share(const ClaimOptions& options) {
  return options.random ? options.random() : static_cast<double>(random_number() >> 11U) * 0x1.0p-53;
}

}  // namespace

Answer read_answer(const HttpOutcome& outcome) {
  if (outcome.kind == HttpOutcome::Kind::not_sent) return Answer::not_sent;
  if (outcome.kind == HttpOutcome::Kind::lost || outcome.status >= 500) return Answer::unknown;
  switch (outcome.status) {
    case 204: return Answer::done;
    case 400: return Answer::refused;
    case 409: {
      const auto error = read_placement_error(outcome);
      if (error.code != "placement.concurrent_update") return Answer::refused;
      const bool is_consumers = error.detail.find("consumer generation conflict") != std::string::npos;
      return is_consumers ? Answer::consumer_conflict : Answer::lost_race;
    }
    default: return Answer::not_served;
  }
}

void Attempt::call(PlacementCall call, HttpDone done) {
  call.deadline = std::min(deadline_, timers_.now() + options_.timeout);
  api_.call(std::move(call), std::move(done));
}

void Attempt::retry(std::function<void()> then) {
  timer_ = timers_.at(timers_.now() + options_.retry_wait, std::move(then));
}

void Attempt::race_again(std::function<void()> then) {
  const auto most = options_.race_wait * (1U << std::min<std::size_t>(tries_ - 1, 8));
  const auto wait = std::chrono::duration_cast<Clock::duration>(most * random_share(options_));
  timer_ = timers_.at(std::min(timers_.now() + wait, deadline_), std::move(then));
}

}  // namespace gantry::nova
