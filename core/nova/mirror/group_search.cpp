// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/group_search.hpp"

#include <algorithm>
#include <set>

#include "core/nova/mirror/sharing_anchors.hpp"
#include "core/nova/mirror/tree_search.hpp"

namespace gantry::nova {

namespace {

SearchEnd no_candidates() {
  return {SearchEnd::Kind::none, ""};
}

SearchEnd refused_name(std::string_view kind, const std::string& name) {
  return {SearchEnd::Kind::refused, std::string(kind) + " " + name + " is unknown"};
}

// The providers that are in one aggregate of each list.
RowSet members_of(const ProviderState& state, const std::vector<std::vector<std::string>>& lists) {
  RowSet members(state.shape().rows());
  for (std::size_t at = 0; at < lists.size(); ++at) {
    RowSet any(state.shape().rows());
    for (const auto& uuid : lists[at]) {
      if (const auto aggregate = state.aggregate_id(uuid)) any |= state.in_aggregate(*aggregate);
    }
    if (at == 0)
      members = std::move(any);
    else
      members &= any;
  }
  return members;
}

}  // namespace

// Resolves the names of a group, and searches its requests.
class GroupSearch {
 public:
  GroupSearch(SearchScope& scope, const QuestionGroup& group, GroupMatches& matches)
      : scope_(scope), state_(scope.state), group_(group), matches_(matches) {}

  SearchEnd run();

 private:
  SearchEnd resolve();
  SearchEnd resolve_traits();
  SearchEnd find_capacity();
  SearchEnd search_providers();
  SearchEnd search_trees();
  void note_loaded(const RowSet& rows);
  void share(const RowSet& rows);

  SearchScope& scope_;
  const ProviderState& state_;
  const QuestionGroup& group_;
  GroupMatches& matches_;
  GroupFilters filters_;
};

SearchEnd GroupSearch::run() {
  if (auto end = resolve(); !end.is_found()) return end;
  const bool has_any_trees = state_.shape().has_trees() || !state_.sharing().is_empty();
  return group_.suffix.empty() && has_any_trees ? search_trees() : search_providers();
}

SearchEnd GroupSearch::resolve() {
  for (std::size_t at = 0; at < group_.resources.size(); ++at) {
    const auto& [name, amount] = group_.resources[at];
    const auto id = state_.class_id(name);
    if (!id) return refused_name("resource class", name);
    matches_.amounts.push_back({*id, state_.column(*id), amount, at});
  }
  std::ranges::sort(matches_.amounts, {}, &GroupAmount::class_id);
  if (!group_.member_of.empty()) {
    filters_.members = members_of(state_, group_.member_of);
    if (filters_.members->is_empty()) return no_candidates();
  }
  if (auto end = resolve_traits(); !end.is_found()) return end;
  filters_.outsiders = RowSet(state_.shape().rows());
  for (const auto& uuid : group_.forbidden_aggregates) {
    if (const auto aggregate = state_.aggregate_id(uuid)) filters_.outsiders |= state_.in_aggregate(*aggregate);
  }
  if (group_.in_tree) {
    const auto row = state_.shape().row_of_uuid(*group_.in_tree);
    if (row == no_row) return no_candidates();
    filters_.tree = state_.shape().root(row);
  }
  return find_capacity();
}

SearchEnd GroupSearch::resolve_traits() {
  for (const auto& name : group_.required_traits) {
    const auto id = state_.trait_id(name);
    if (!id) return refused_name("trait", name);
    filters_.required.push_back(&state_.with_trait(*id));
  }
  filters_.forbidden = RowSet(state_.shape().rows());
  for (const auto& name : group_.forbidden_traits) {
    const auto id = state_.trait_id(name);
    if (!id) return refused_name("trait", name);
    filters_.forbidden |= state_.with_trait(*id);
  }
  return {};
}

SearchEnd GroupSearch::find_capacity() {
  for (const auto& amount : matches_.amounts) {
    if (amount.column == nullptr) return no_candidates();
    auto rows = amount.column->find(amount.amount);
    if (filters_.tree != no_row) {
      RowSet tree(state_.shape().rows());
      for (const auto row : state_.shape().tree(filters_.tree)) tree.insert(row);
      rows &= tree;
    }
    if (rows.is_empty()) return no_candidates();
    filters_.with_capacity.push_back(std::move(rows));
  }
  return {};
}

SearchEnd GroupSearch::search_providers() {
  // A group without resources looks for traits and aggregates, and its tree is passed over. Without a trait or
  // aggregate that is required it finds no provider.
  if (filters_.with_capacity.empty() && filters_.required.empty() && !filters_.members) return no_candidates();
  std::optional<RowSet> rows;
  const auto narrow = [&rows](const RowSet& set) {
    if (rows)
      *rows &= set;
    else
      rows = set;
  };
  for (const auto& set : filters_.with_capacity) narrow(set);
  for (const auto* set : filters_.required) narrow(*set);
  if (filters_.members) narrow(*filters_.members);
  *rows -= filters_.outsiders;
  *rows -= filters_.forbidden;
  note_loaded(*rows);
  share(*rows);
  if (scope_.anchors) {
    const RowSet all = *rows;
    all.each([&](std::size_t row) {
      if (!scope_.anchors->has(state_.shape().root(static_cast<ProviderRow>(row)))) rows->erase(row);
    });
  }
  matches_.whole = *std::move(rows);
  return matches_.whole.is_empty() && matches_.shared.empty() ? no_candidates() : SearchEnd();
}

void GroupSearch::note_loaded(const RowSet& rows) {
  if (state_.sharing().is_empty()) return;
  rows.each([this](std::size_t row) { scope_.loaded.insert(state_.shape().root(static_cast<ProviderRow>(row))); });
}

void GroupSearch::share(const RowSet& rows) {
  auto sharing = rows;
  sharing &= state_.sharing();
  sharing.each([this](std::size_t at) {
    const auto provider = static_cast<ProviderRow>(at);
    sharing_anchors(state_, provider).each([&](std::size_t anchor_at) {
      const auto anchor = static_cast<ProviderRow>(anchor_at);
      if (anchor != state_.shape().root(provider) && scope_.is_anchor(anchor))
        matches_.shared.push_back({anchor, provider});
    });
  });
  std::ranges::stable_sort(matches_.shared, {}, &SharedProvider::anchor);
}

SearchEnd GroupSearch::search_trees() {
  return TreeSearch(scope_, filters_, matches_).run();
}

SearchScope::SearchScope(const ProviderState& known_state) : state(known_state), loaded(known_state.shape().rows()) {}

RowSet GroupMatches::anchors(const ProviderShape& shape) const {
  RowSet anchors(shape.rows());
  whole.each([&](std::size_t row) { anchors.insert(shape.root(static_cast<ProviderRow>(row))); });
  for (const auto& entry : shared) anchors.insert(entry.anchor);
  for (const auto& tree : trees) anchors.insert(tree.anchor);
  return anchors;
}

void GroupMatches::requests_at(const ProviderShape& shape, ProviderRow anchor, std::vector<Request>& requests) const {
  const auto members = shape.tree(anchor);
  for (std::size_t at = 0; at < members.size(); ++at) {
    if (whole.has(members[at])) requests.push_back(members.subspan(at, 1));
  }
  for (const auto& entry : entries_of(shared, anchor)) requests.emplace_back(&entry.provider, 1);
  for (const auto& tree : entries_of(trees, anchor)) {
    for (auto at = tree.begin; at < tree.end; at += amounts.size())
      requests.push_back(Request(combined).subspan(at, amounts.size()));
  }
}

RowSet GroupMatches::whole_rows() const {
  auto rows = whole;
  for (const auto& entry : shared) rows.insert(entry.provider);
  return rows;
}

SearchEnd search_group(SearchScope& scope, const QuestionGroup& group, GroupMatches& matches) {
  return GroupSearch(scope, group, matches).run();
}

}  // namespace gantry::nova
