// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/policy_questions.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include "core/encoding/sha256.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::size_t most_kept_bytes = std::size_t{64} << 10;

}  // namespace

drivers::ServiceAnswer PolicyQuestions::ask(std::string_view name, std::string_view json) {
  auto digest = sha256_of(std::as_bytes(std::span(json)));
  if (!digest) return {GANTRY_UNSUPPORTED, 0, digest.error().message};
  auto answer = answer_to(name, json, *digest);
  answers_.push_back({std::string(name), *std::move(digest), answer});
  return answer;
}

drivers::ServiceAnswer PolicyQuestions::answer_to(std::string_view name, std::string_view json,
                                                  const std::string& digest) {
  if (past_ != nullptr) {
    const auto at = answers_.size();
    if (at < past_->size() && (*past_)[at].service == name && (*past_)[at].question_sha256 == digest)
      return (*past_)[at].answer;
    return {GANTRY_UNSUPPORTED, 0, "the decision did not ask this before, and no service is asked for it again"};
  }
  if (services_ == nullptr)
    return {GANTRY_INVALID_ARGUMENT, 0,
            "no policy service is configured; [ask." + std::string(name) + "] is to name it"};
  return services_->ask(driver_, name, json, deadline_);
}

std::string answers_text(const NotedAnswers& answers) {
  if (answers.empty()) return {};
  std::size_t bytes = 0;
  for (const auto& each : answers) bytes += each.answer.body.size();
  json::array list;
  for (const auto& each : answers) {
    json::object item{{"service", each.service},
                      {"question_sha256", each.question_sha256},
                      {"code", each.answer.code},
                      {"status", each.answer.status}};
    if (bytes <= most_kept_bytes)
      item["body"] = each.answer.body;
    else
      item["lacks_body"] = true;
    list.push_back(std::move(item));
  }
  return json::write(list);
}

NotedAnswers read_answers(const json::array& answers) {
  NotedAnswers read;
  for (const auto& each : answers) {
    const auto* item = each.if_object();
    if (item == nullptr) continue;
    const auto text = [item](std::string_view key) { return std::string(json::find_string(*item, key).value_or("")); };
    const auto number = [item](std::string_view key) {
      return static_cast<std::int32_t>(json::find_integer(*item, key).value_or(0));
    };
    read.push_back({text("service"), text("question_sha256"), {number("code"), number("status"), text("body")}});
  }
  return read;
}

bool lacks_answers(const json::array& answers) {
  const auto* first = answers.empty() ? nullptr : answers.front().if_object();
  return first != nullptr && json::find_bool(*first, "lacks_body").value_or(false);
}

}  // namespace gantry::scheduling
