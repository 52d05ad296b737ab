// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/mirror_audit.hpp"

#include <boost/asio/post.hpp>
#include <charconv>
#include <utility>

namespace gantry::nova {

namespace {

constexpr std::chrono::seconds patience{30};
constexpr std::chrono::hours period{1};
constexpr std::size_t most_differences = 3;

// The number behind "limit=". 0: there is no limit.
std::size_t limit_of(std::string_view query) {
  constexpr std::string_view name = "limit=";
  const auto at = query.find(name);
  if (at == std::string_view::npos) return 0;
  std::size_t limit = 0;
  std::from_chars(query.data() + at + name.size(), query.data() + query.size(), limit);
  return limit;
}

}  // namespace

MirrorAudit::MirrorAudit(PlacementMirror& mirror, PlacementDesk& placement, std::uint32_t one_in,
                         std::shared_ptr<telemetry::Logger> logger, telemetry::Counters& counters)
    : mirror_(mirror), placement_(placement), one_in_(one_in), logger_(std::move(logger)), counters_(counters) {}

void MirrorAudit::look(const std::string& query) {
  if (one_in_ == 0 || ++questions_ % one_in_ != 0 || is_busy_.exchange(true)) return;
  boost::asio::post(thread_, [this, query] {
    compare(query);
    is_busy_ = false;
  });
}

bool MirrorAudit::refresh() {
  return mirror_.wait(mirror_.ask(), Clock::now() + patience);
}

// Two answers can be compared if nothing has changed between them.
void MirrorAudit::compare(const std::string& query) {
  if (!refresh()) return;
  const auto version = mirror_.version();
  const auto mirrored = mirror_.find(query);
  const auto asked =
      placement_.ask({query, "mirror-audit", CandidateQuestions::Freshness::anew, Clock::now() + patience, 0});
  if (mirrored == nullptr || asked.kind != CandidateAnswer::Kind::found || !refresh()) return;
  if (mirror_.version() != version) return counters_.add("nova_mirror_audits", "changed", 1);
  const auto limit = limit_of(query);
  const auto difference =
      difference_of(*mirrored, *asked.candidates, limit != 0 && asked.candidates->requests().size() >= limit);
  counters_.add("nova_mirror_audits", difference ? "differed" : "equal", 1);
  if (difference) note_difference(query, *difference);
}

// Whether the one who left the provider out has it in the answer to another question.
bool MirrorAudit::has(const MirrorDifference& difference, const std::string& query) {
  const auto answer =
      difference.is_in_mirror
          ? placement_.ask({query, "mirror-audit", CandidateQuestions::Freshness::anew, Clock::now() + patience, 0})
                .candidates
          : mirror_.find(query);
  if (answer == nullptr) return false;
  return difference.is_seen ? answer->is_seen(difference.provider) : answer->is_claimable(difference.provider);
}

void MirrorAudit::note_difference(const std::string& query, const MirrorDifference& difference) {
  const auto rule = rule_of(query, [&](const std::string& shorter) { return has(difference, shorter); });
  logger_->write(
      telemetry::Level::error, "placement's mirror has answered otherwise than placement",
      {{"question", query}, {"provider", difference.provider}, {"rule", rule}, {"difference", text_of(difference)}});
  const auto now = Clock::now();
  differences_.push_back(now);
  while (now - differences_.front() > period) differences_.pop_front();
  if (differences_.size() >= most_differences)
    mirror_.step_down(std::to_string(most_differences) + " answers differed within an hour; the last: " +
                      text_of(difference) + ", by " + rule + ", for " + query);
}

}  // namespace gantry::nova
