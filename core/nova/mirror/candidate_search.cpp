// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/candidate_search.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "core/nova/mirror/candidate_question.hpp"
#include "core/nova/mirror/group_search.hpp"
#include "core/nova/mirror/request_merge.hpp"

namespace gantry::nova {

namespace {

// The roots that may be anchors. nullopt: all.
SearchEnd find_roots(const ProviderState& state, const CandidateQuestion& question, std::optional<RowSet>& roots) {
  if (question.root_required.empty() && question.root_forbidden.empty()) return {};
  roots = state.shape().parentless();
  for (const auto* names : {&question.root_required, &question.root_forbidden}) {
    for (const auto& name : *names) {
      const auto trait = state.trait_id(name);
      if (!trait) return {SearchEnd::Kind::refused, "trait " + name + " is unknown"};
      if (names == &question.root_required)
        *roots &= state.with_trait(*trait);
      else
        *roots -= state.with_trait(*trait);
    }
  }
  return {roots->is_empty() ? SearchEnd::Kind::none : SearchEnd::Kind::found, ""};
}

MirrorAnswer answer_of(const SearchEnd& end) {
  MirrorAnswer answer;
  answer.reason = end.reason;
  if (end.kind == SearchEnd::Kind::none)
    answer.kind = MirrorAnswer::Kind::answered;
  else if (end.kind == SearchEnd::Kind::refused)
    answer.kind = MirrorAnswer::Kind::refused;
  return answer;
}

}  // namespace

MirrorAnswer find_candidates(const ProviderState& state, std::string_view query) {
  const auto question = read_candidate_question(query);
  if (!question) {
    const bool is_refused = question.error().code == ErrorCode::invalid_argument;
    return answer_of({is_refused ? SearchEnd::Kind::refused : SearchEnd::Kind::ask, question.error().message});
  }
  SearchScope scope(state);
  if (auto end = find_roots(state, *question, scope.anchors); !end.is_found()) return answer_of(end);
  scope.has_further_groups = question->groups.size() > 1;
  std::vector<GroupMatches> matches(question->groups.size());
  for (std::size_t at = 0; at < matches.size(); ++at) {
    if (auto end = search_group(scope, question->groups[at], matches[at]); !end.is_found()) return answer_of(end);
  }
  MirrorAnswer answer;
  auto end = merge_requests(state, *question, matches, answer.candidates);
  if (!end.is_found()) return answer_of(end);
  answer.candidates.finish();
  answer.kind = MirrorAnswer::Kind::answered;
  return answer;
}

}  // namespace gantry::nova
