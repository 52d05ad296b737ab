// SPDX-License-Identifier: Apache-2.0
//
// Records of the kind placement_client: what Nova says to placement for candidates and for a claim. The core's code says
// the same, but for the look at the consumer before each claim: it looks only where placement refuses a new consumer.
#include <stdexcept>

#include "core/nova/placement/candidate_questions.hpp"
#include "core/nova/placement/claims.hpp"
#include "tests/nova/placement/scripted_placement.hpp"
#include "tests/parity/replay.hpp"

namespace filter_driver::parity {

namespace {

namespace json = boost::json;
using gantry::nova::testing::answered;
using gantry::nova::testing::conflict;
using gantry::nova::testing::ManualTimers;

// Answers as the placement of the record did, and keeps the first call that differs.
class recorded_placement final : public gantry::nova::PlacementApi {
 public:
  explicit recorded_placement(const json::array& http) : http_(http) {}

  void call(gantry::nova::PlacementCall call, gantry::nova::HttpDone done) override {
    const auto* const recorded = find(call);
    if (recorded == nullptr) {
      note("asks " + call.verb + " " + call.target);
      return done(answered(400));
    }
    if (call.verb != "PUT") return done(answer_of(*recorded));
    const auto body = json::parse(call.body).as_object();
    if (body.at("consumer_generation").is_null() && moves())
      return done(conflict("consumer generation conflict - expected null"));
    compare(body, recorded->at("body").as_object());
    done(answer_of(*recorded));
  }

  const std::string& difference() const { return difference_; }

 private:
  const json::object* find(const gantry::nova::PlacementCall& call) const {
    for (const auto& each : http_) {
      const auto& recorded = each.as_object();
      if (recorded.at("method").as_string() == call.verb && recorded.at("url").as_string() == call.target)
        return &recorded;
    }
    return nullptr;
  }

  static gantry::nova::HttpOutcome answer_of(const json::object& recorded) {
    return answered(static_cast<unsigned>(recorded.at("status").as_int64()), json::serialize(recorded.at("response")));
  }

  // Whether the consumer of the record held allocations before.
  bool moves() const {
    const auto& first = http_.at(0).as_object();
    return first.at("method").as_string() == "GET" &&
           !first.at("response").as_object().at("allocations").as_object().empty();
  }

  // Nova's callers of older microversions give no generation; the core always claims with the newest.
  void compare(json::object said, json::object recorded) {
    if (!recorded.contains("consumer_generation")) said.erase("consumer_generation");
    if (said != recorded) note("says " + json::serialize(said));
  }

  void note(std::string what) {
    if (difference_.empty()) difference_ = std::move(what);
  }

  const json::array& http_;
  std::string difference_;
};

std::string text_at(const json::object& object, std::string_view name) {
  return std::string(object.at(name).as_string());
}

verdict check_claim(const json::object& record) {
  const auto& args = record.at("args").as_object();
  recorded_placement placement(record.at("http").as_array());
  ManualTimers timers;
  gantry::nova::Claims claims(placement, timers, {});
  gantry::nova::ClaimOutcome outcome;
  claims.claim({text_at(args, "consumer_uuid"), json::serialize(args.at("alloc_request")), text_at(args, "project_id"),
                text_at(args, "user_id"), ""},
               timers.now() + std::chrono::seconds(60), [&](auto found) { outcome = std::move(found); });
  while (timers.run_next()) {
  }
  if (!placement.difference().empty()) return {verdict::differed, placement.difference()};
  const bool conflicts = outcome.kind == gantry::nova::ClaimOutcome::Kind::consumer_conflict;
  if (raises(record) != conflicts || (!conflicts && record.at("expected").at("result").as_bool() != outcome.is_held()))
    return {verdict::differed, "the claim: " + (outcome.is_held() ? "held" : outcome.reason)};
  return {};
}

verdict check_candidates(const json::object& record) {
  constexpr std::string_view path = "/allocation_candidates?";
  const auto url = text_at(record.at("http").at(0).as_object(), "url");
  if (!url.starts_with(path)) throw std::invalid_argument("a question of another path");
  recorded_placement placement(record.at("http").as_array());
  ManualTimers timers;
  gantry::nova::CandidateQuestions questions(placement, timers, {});
  gantry::nova::CandidateAnswer answer;
  questions.ask({url.substr(path.size()), "", gantry::nova::CandidateQuestions::Freshness::anew,
                 timers.now() + std::chrono::seconds(60)},
                [&](auto found) { answer = std::move(found); });
  if (!placement.difference().empty()) return {verdict::differed, placement.difference()};
  const auto& expected = record.at("expected").at("result").as_array();
  if (expected.at(0).is_null() != (answer.kind != gantry::nova::CandidateAnswer::Kind::found))
    return {verdict::differed, "the answer: " + answer.reason};
  if (expected.at(0).is_null()) return {};
  json::array requests;
  for (const auto& text : answer.candidates->requests()) requests.push_back(json::parse(text));
  if (requests != expected.at(0).as_array()) return {verdict::differed, json::serialize(requests)};
  const auto& summaries = expected.at(1).as_object();
  for (const auto& summary : summaries) {
    if (!answer.candidates->is_seen(summary.key())) return {verdict::differed, "does not see a provider"};
  }
  if (answer.candidates->seen().size() != summaries.size()) return {verdict::differed, "sees further providers"};
  if (expected.at(2).as_string() != gantry::nova::microversion::claims) return {verdict::differed, "the microversion"};
  return {};
}

}  // namespace

verdict check_placement_client(const json::object& record) {
  return record.at("method").as_string() == "claim_resources" ? check_claim(record) : check_candidates(record);
}

}  // namespace filter_driver::parity
