// SPDX-License-Identifier: Apache-2.0
//
// The questions of one decision to policy services, with their answers. A decision that is made again gets the answers
// that it got before, and no service is asked.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/drivers/call/asker.hpp"
#include "core/encoding/json.hpp"
#include "core/scheduling/policy_services.hpp"

namespace gantry::scheduling {

// A question and its answer. Two questions are the same if the service and the digest are.
struct NotedAnswer {
  std::string service;
  std::string question_sha256;
  drivers::ServiceAnswer answer;
};
using NotedAnswers = std::vector<NotedAnswer>;

// For the thread of the decision.
class PolicyQuestions final : public drivers::Asker {
 public:
  // Asks `services` for the driver of that id. nullptr: none is configured.
  PolicyQuestions(PolicyServices* services, std::string driver, std::chrono::steady_clock::time_point deadline)
      : services_(services), driver_(std::move(driver)), deadline_(deadline) {}
  // Answers from `past`, which outlives the object, in its order.
  explicit PolicyQuestions(const NotedAnswers& past) : past_(&past) {}

  drivers::ServiceAnswer ask(std::string_view name, std::string_view json) override;

  const NotedAnswers& answers() const { return answers_; }

 private:
  drivers::ServiceAnswer answer_to(std::string_view name, std::string_view json, const std::string& digest);

  PolicyServices* services_ = nullptr;
  std::string driver_;
  std::chrono::steady_clock::time_point deadline_;
  const NotedAnswers* past_ = nullptr;
  NotedAnswers answers_;
};

// The answers as a note of the decision keeps them: a JSON list, empty without a question. Answers of more than 64 KiB
// together are left out.
std::string answers_text(const NotedAnswers& answers);
NotedAnswers read_answers(const json::array& answers);
// Returns whether answers were left out.
bool lacks_answers(const json::array& answers);

}  // namespace gantry::scheduling
