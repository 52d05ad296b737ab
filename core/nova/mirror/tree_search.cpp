// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/tree_search.hpp"

#include <algorithm>

#include "core/nova/mirror/sharing_anchors.hpp"

namespace gantry::nova {

SearchEnd TreeSearch::run() {
  matches_.whole = RowSet(state_.shape().rows());
  givers_.resize(amounts_.size());
  if (!is_any_required_known()) return {SearchEnd::Kind::none, ""};
  find_shared();
  find_whole();
  const auto anchors = find_anchors();
  if (auto end = check_loaded(anchors); !end.is_found()) return end;
  SearchEnd end;
  anchors.each([&](std::size_t anchor) {
    if (end.is_found()) end = search_tree(static_cast<ProviderRow>(anchor));
  });
  if (end.is_found() && matches_.whole.is_empty() && matches_.trees.empty()) end.kind = SearchEnd::Kind::none;
  return end;
}

bool TreeSearch::is_any_required_known() const {
  return filters_.required.empty() ||
         std::ranges::any_of(filters_.required, [](const RowSet* rows) { return !rows->is_empty(); });
}

// Membership of a root counts for its whole tree.
bool TreeSearch::is_admitted(ProviderRow row, ProviderRow anchor) const {
  return scope_.is_anchor(anchor) &&
         (!filters_.members || filters_.members->has(row) || filters_.members->has(anchor)) &&
         !filters_.outsiders.has(row) && !filters_.outsiders.has(anchor);
}

void TreeSearch::find_shared() {
  plain_ = state_.shape().parentless();
  for (auto rows : filters_.with_capacity) {
    rows -= state_.shape().parentless();
    rows.each([this](std::size_t row) { plain_.erase(state_.shape().root(static_cast<ProviderRow>(row))); });
  }
  auto sharing = state_.sharing();
  if (filters_.members) sharing &= *filters_.members;
  if (filters_.tree != no_row) return;
  sharing.each([this](std::size_t at) {
    const auto provider = static_cast<ProviderRow>(at);
    const auto gives = [at](const RowSet& rows) { return rows.has(at); };
    if (std::ranges::none_of(filters_.with_capacity, gives)) return;
    const auto anchors = sharing_anchors(state_, provider);
    plain_ -= anchors;
    for (std::size_t amount = 0; amount < amounts_.size(); ++amount) {
      if (!filters_.with_capacity[amount].has(at)) continue;
      anchors.each([&](std::size_t anchor) {
        if (is_admitted(provider, static_cast<ProviderRow>(anchor)))
          shared_.push_back({static_cast<ProviderRow>(anchor), provider, amount});
      });
    }
  });
  std::ranges::stable_sort(shared_, {}, &SharedAmount::anchor);
}

void TreeSearch::find_whole() {
  matches_.whole = plain_;
  for (const auto& rows : filters_.with_capacity) matches_.whole &= rows;
  for (const auto* rows : filters_.required) matches_.whole &= *rows;
  if (scope_.anchors) matches_.whole &= *scope_.anchors;
  if (filters_.members) matches_.whole &= *filters_.members;
  matches_.whole -= filters_.outsiders;
  matches_.whole -= filters_.forbidden;
}

// The roots of the other trees in which each amount finds a provider. Traits are not looked at yet.
RowSet TreeSearch::find_anchors() const {
  const auto& shape = state_.shape();
  std::optional<RowSet> anchors;
  for (std::size_t amount = 0; amount < amounts_.size(); ++amount) {
    RowSet own(shape.rows());
    auto rows = filters_.with_capacity[amount];
    rows -= plain_;
    rows.each([&](std::size_t row) {
      const auto root = shape.root(static_cast<ProviderRow>(row));
      if (is_admitted(static_cast<ProviderRow>(row), root)) own.insert(root);
    });
    for (const auto& shared : shared_) {
      if (shared.amount == amount) own.insert(shared.anchor);
    }
    if (anchors)
      *anchors &= own;
    else
      anchors = std::move(own);
  }
  return *std::move(anchors);
}

// Placement loads the trees of the anchors, and of the providers that are roots. A provider of a tree that is not
// loaded makes it fail.
SearchEnd TreeSearch::check_loaded(const RowSet& anchors) {
  if (shared_.empty()) return {};
  scope_.loaded |= anchors;
  for (const auto& shared : shared_) {
    if (anchors.has(shared.anchor)) scope_.loaded.insert(shared.provider);
  }
  for (const auto& shared : shared_) {
    if (anchors.has(shared.anchor) && !scope_.loaded.has(state_.shape().root(shared.provider)))
      return {SearchEnd::Kind::ask, "a sharing provider under another one serves a foreign tree"};
  }
  return {};
}

void TreeSearch::find_givers(ProviderRow anchor, std::size_t amount) {
  const auto& shape = state_.shape();
  auto& rows = givers_[amount];
  rows.clear();
  const auto give = [&](ProviderRow row) {
    if (!filters_.forbidden.has(row)) rows.push_back(row);
  };
  for (const auto row : shape.tree(anchor)) {
    if (filters_.with_capacity[amount].has(row) && is_admitted(row, anchor)) give(row);
  }
  const auto shared = entries_of(shared_, anchor);
  for (const auto& entry : shared) {
    if (entry.amount == amount) give(entry.provider);
  }
  if (shared.empty()) return;
  std::ranges::sort(rows, {}, [&shape](ProviderRow row) { return shape.id(row); });
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

SearchEnd TreeSearch::search_tree(ProviderRow anchor) {
  std::size_t combinations = 1;
  for (std::size_t amount = 0; amount < amounts_.size(); ++amount) {
    find_givers(anchor, amount);
    if (givers_[amount].empty()) return {};
    combinations *= givers_[amount].size();
    if (combinations > most_tree_requests) return {SearchEnd::Kind::ask, "too many combinations in one tree"};
  }
  const auto begin = matches_.combined.size();
  if (auto end = add_combinations(); !end.is_found()) return end;
  if (matches_.combined.size() / amounts_.size() > most_requests) return {SearchEnd::Kind::ask, "too many requests"};
  if (matches_.combined.size() > begin) matches_.trees.push_back({anchor, begin, matches_.combined.size()});
  return {};
}

// Adds each combination of one giver an amount that has the required traits together.
SearchEnd TreeSearch::add_combinations() {
  std::vector<std::size_t> picks(givers_.size(), 0);
  std::vector<ProviderRow> rows(givers_.size());
  for (;;) {
    for (std::size_t at = 0; at < rows.size(); ++at) rows[at] = givers_[at][picks[at]];
    if (has_required(rows)) {
      const bool is_new = !are_sharing(state_, rows) || known_.insert(rows).second;
      // Placement keeps one of the equal requests, and no rule says which.
      if (!is_new && scope_.has_further_groups)
        return {SearchEnd::Kind::ask, "several trees have an equal request, and there are further groups"};
      if (is_new) matches_.combined.insert(matches_.combined.end(), rows.begin(), rows.end());
    }
    std::size_t at = rows.size();
    while (at > 0 && ++picks[at - 1] == givers_[at - 1].size()) picks[--at] = 0;
    if (at == 0) return {};
  }
}

bool TreeSearch::has_required(const std::vector<ProviderRow>& rows) const {
  return std::ranges::all_of(filters_.required, [&rows](const RowSet* with_trait) {
    return std::ranges::any_of(rows, [with_trait](ProviderRow row) { return with_trait->has(row); });
  });
}

}  // namespace gantry::nova
