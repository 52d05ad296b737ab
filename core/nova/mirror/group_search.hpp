// SPDX-License-Identifier: Apache-2.0
//
// The search for the providers that one group of a question can have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/nova/mirror/candidate_question.hpp"
#include "core/nova/mirror/provider_state.hpp"

namespace gantry::nova {

// A question with more combinations is left to placement.
inline constexpr std::size_t most_tree_requests = 10'000;  // in one tree
inline constexpr std::size_t most_requests = 200'000;

// How a search ended.
struct SearchEnd {
  enum class Kind {
    found,
    none,     // there is no candidate, and the rest of the question is not looked at
    refused,  // placement refuses the question
    ask,      // placement's answer is not known here
  };
  Kind kind = Kind::found;
  std::string reason;  // for refused and ask

  bool is_found() const { return kind == Kind::found; }
};

// The state of a search that the groups of one question share. An anchor is the root of the tree that a candidate
// belongs to.
struct SearchScope {
  explicit SearchScope(const ProviderState& known_state);

  bool is_anchor(ProviderRow root) const { return !anchors || anchors->has(root); }

  const ProviderState& state;
  std::optional<RowSet> anchors;  // the only roots that may be anchors
  bool has_further_groups = false;
  RowSet loaded;  // roots whose trees placement has loaded for a former group; kept if there is sharing
};

// A provider that takes part in a tree which is not its own.
struct SharedProvider {
  ProviderRow anchor;
  ProviderRow provider;
};

// Returns the entries of one anchor. They are ordered by `anchor`.
template <class Entry>
std::span<const Entry> entries_of(const std::vector<Entry>& entries, ProviderRow anchor) {
  const auto begin = std::ranges::lower_bound(entries, anchor, {}, &Entry::anchor);
  const auto end = std::ranges::upper_bound(entries, anchor, {}, &Entry::anchor);
  return {begin, end};
}

struct GroupAmount {
  std::int64_t class_id;
  const ClassColumn* column;
  std::int64_t amount;
  std::size_t index;  // in the group's resources
};

// The requests that satisfy a group. A request is a list of rows: one provider that gives all, or one an amount.
struct GroupMatches {
  using Request = std::span<const ProviderRow>;
  struct Tree {
    ProviderRow anchor;
    std::size_t begin;  // the place of its requests in `combined`
    std::size_t end;
  };

  std::vector<GroupAmount> amounts;    // ordered by class id
  RowSet whole;                        // rows that give all to their own tree
  std::vector<SharedProvider> shared;  // rows that give all to another tree; ordered by anchor
  std::vector<Tree> trees;             // the trees with other requests; ordered by anchor
  std::vector<ProviderRow> combined;   // the other requests: one row an amount

  // The roots of the trees that have a request.
  RowSet anchors(const ProviderShape& shape) const;
  // The requests of one tree, ordered by class id and provider id. They are valid as long as this object and the shape.
  void requests_at(const ProviderShape& shape, ProviderRow anchor, std::vector<Request>& requests) const;

  // The rows that are a request on their own, in any tree.
  RowSet whole_rows() const;
  // Calls `visit` for each other request.
  template <class Visit>
  void each_combination(Visit visit) const {
    for (std::size_t at = 0; at < combined.size(); at += amounts.size())
      visit(Request(combined).subspan(at, amounts.size()));
  }
};

// Searches the requests of a group as placement does: any providers of a tree for the group without suffix, one
// provider for another group.
SearchEnd search_group(SearchScope& scope, const QuestionGroup& group, GroupMatches& matches);

}  // namespace gantry::nova
