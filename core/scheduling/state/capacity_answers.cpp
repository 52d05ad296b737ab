// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/capacity_answers.hpp"

#include <utility>

namespace gantry::scheduling {

std::optional<std::string> CapacityAnswers::find(const std::string& question, std::uint64_t generation,
                                                 const std::function<bool(std::uint64_t since)>& is_current) {
  const std::lock_guard lock(mutex_);
  const auto found = by_question_.find(question);
  if (found == by_question_.end()) return std::nullopt;
  auto& kept = *found->second;
  // Another call has asked since this one saw the fleet.
  if (kept.generation > generation) return std::nullopt;
  if (kept.generation != generation && !is_current(kept.generation)) return std::nullopt;
  kept.generation = generation;
  kept_.splice(kept_.begin(), kept_, found->second);
  return kept.answer;
}

void CapacityAnswers::put(const std::string& question, std::uint64_t generation, std::string answer) {
  if (question.size() + answer.size() > largest) return;
  const std::lock_guard lock(mutex_);
  if (const auto found = by_question_.find(question); found != by_question_.end()) {
    if (found->second->generation > generation) return;
    kept_.erase(found->second);
    by_question_.erase(found);
  }
  kept_.push_front({question, generation, std::move(answer)});
  by_question_.emplace(question, kept_.begin());
  if (kept_.size() <= most) return;
  by_question_.erase(kept_.back().question);
  kept_.pop_back();
}

}  // namespace gantry::scheduling
