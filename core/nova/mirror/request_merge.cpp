// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/request_merge.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/nova/mirror/open_groups.hpp"
#include "core/nova/mirror/sharing_anchors.hpp"

namespace gantry::nova {

namespace {

// Trees with more requests leave open which provider serves a group, where they can.
constexpr std::size_t most_listed_requests = 64;

class RequestMerge {
 public:
  RequestMerge(const ProviderState& state, const CandidateQuestion& question, const std::vector<GroupMatches>& matches,
               MirrorCandidates& candidates)
      : state_(state),
        question_(question),
        matches_(matches),
        candidates_(candidates),
        picked_(matches.size()),
        lists_(matches.size()) {}

  SearchEnd run();

 private:
  using Request = GroupMatches::Request;

  void name_classes();
  void take_single_group();
  RowSet common_anchors() const;
  SearchEnd merge_tree(ProviderRow anchor);
  SearchEnd merge_lists();
  SearchEnd leave_open(ProviderRow anchor);
  bool is_like_before(std::size_t group) const;
  SearchEnd take_picked();
  bool is_new();
  bool satisfies_policy() const;
  bool satisfies_subtrees() const;
  bool is_subtree(const std::set<ProviderRow>& rows) const;
  bool gather_parts();
  bool is_within_capacity() const;
  ProviderRow giver(std::size_t group, std::size_t amount) const;
  void gather_mappings();
  void add_picked();

  const ProviderState& state_;
  const CandidateQuestion& question_;
  const std::vector<GroupMatches>& matches_;
  MirrorCandidates& candidates_;
  std::vector<Request> picked_;              // one a group
  std::vector<std::vector<Request>> lists_;  // the requests of one tree, by group
  std::vector<MirrorCandidates::Part> parts_;
  std::vector<MirrorCandidates::Mapping> mappings_;
  std::vector<std::string> classes_;
  std::vector<const ClassColumn*> columns_;                // by number of a class
  std::vector<std::vector<std::uint32_t>> class_numbers_;  // by group and amount
  std::size_t merged_ = 0;
  std::set<std::vector<ProviderRow>> known_;  // merges of sharing providers alone, which other trees may have too
};

SearchEnd RequestMerge::run() {
  name_classes();
  std::vector<std::string> suffixes;
  for (const auto& group : question_.groups) suffixes.push_back(group.suffix);
  candidates_ = MirrorCandidates(state_.shared_shape(), classes_, std::move(suffixes));
  if (matches_.size() == 1) {
    take_single_group();
    return {};
  }
  SearchEnd end;
  common_anchors().each([&](std::size_t anchor) {
    if (end.is_found()) end = merge_tree(static_cast<ProviderRow>(anchor));
  });
  return end;
}

void RequestMerge::name_classes() {
  std::map<std::int64_t, std::uint32_t> numbers;  // by class id
  for (std::size_t group = 0; group < matches_.size(); ++group) {
    auto& own = class_numbers_.emplace_back();
    for (const auto& amount : matches_[group].amounts) {
      const auto [entry, is_new] = numbers.emplace(amount.class_id, static_cast<std::uint32_t>(classes_.size()));
      if (is_new) {
        classes_.push_back(question_.groups[group].resources[amount.index].first);
        columns_.push_back(amount.column);
      }
      own.push_back(entry->second);
    }
  }
}

void RequestMerge::take_single_group() {
  const auto& amounts = matches_[0].amounts;
  auto rows = matches_[0].whole_rows();
  std::vector<MirrorCandidates::Part> parts;
  for (std::size_t at = 0; at < amounts.size(); ++at) {
    parts.push_back({no_row, class_numbers_[0][at], amounts[at].amount});
    if (!amounts[at].column->differs()) continue;
    const RowSet all = rows;
    all.each([&](std::size_t row) {
      if (!amounts[at].column->is_within(row, amounts[at].amount)) rows.erase(row);
    });
  }
  candidates_.add_whole(rows, std::move(parts));
  matches_[0].each_combination([this](Request request) {
    picked_[0] = request;
    gather_parts();
    if (is_within_capacity()) add_picked();
  });
}

RowSet RequestMerge::common_anchors() const {
  auto anchors = matches_[0].anchors(state_.shape());
  for (std::size_t group = 1; group < matches_.size(); ++group) anchors &= matches_[group].anchors(state_.shape());
  return anchors;
}

SearchEnd RequestMerge::merge_tree(ProviderRow anchor) {
  auto& lists = lists_;
  std::size_t merges = 1;
  for (std::size_t group = 0; group < matches_.size(); ++group) {
    lists[group].clear();
    matches_[group].requests_at(state_.shape(), anchor, lists[group]);
    merges = std::min(merges, most_tree_requests + 1) * lists[group].size();
  }
  if (merges > most_listed_requests) {
    if (auto end = leave_open(anchor); end.kind != SearchEnd::Kind::none) return end;
  }
  if (merges > most_tree_requests) return {SearchEnd::Kind::ask, "too many combinations in one tree"};
  return merge_lists();
}

SearchEnd RequestMerge::merge_lists() {
  auto& lists = lists_;
  std::vector<std::size_t> picks(lists.size(), 0);
  for (;;) {
    for (std::size_t group = 0; group < lists.size(); ++group) picked_[group] = lists[group][picks[group]];
    if (auto end = take_picked(); !end.is_found()) return end;
    std::size_t at = lists.size();
    while (at > 0 && ++picks[at - 1] == lists[at - 1].size()) picks[--at] = 0;
    if (at == 0) return {};
  }
}

SearchEnd RequestMerge::take_picked() {
  if (!satisfies_policy() || !satisfies_subtrees()) return {};
  const bool has_repeated = gather_parts();
  // Placement adds up in an object that other combinations share, so what it answers depends on their order.
  if (has_repeated && question_.group_policy != GroupPolicy::none)
    return {SearchEnd::Kind::ask, "a provider gives one class to two groups, and group_policy is not none"};
  if (!is_within_capacity()) return {};
  if (!is_new()) return {};
  if (++merged_ > most_requests) return {SearchEnd::Kind::ask, "too many requests"};
  add_picked();
  return {};
}

bool RequestMerge::is_new() {
  if (!std::ranges::all_of(picked_, [this](Request request) { return are_sharing(state_, request); })) return true;
  std::vector<ProviderRow> key;
  for (const auto& request : picked_) {
    key.insert(key.end(), request.begin(), request.end());
    key.push_back(no_row);
  }
  return known_.insert(std::move(key)).second;
}

// Returns whether the group asks for what the group before it asks for, and finds the same providers in the tree.
bool RequestMerge::is_like_before(std::size_t group) const {
  if (group == 0 || class_numbers_[group] != class_numbers_[group - 1]) return false;
  if (matches_[group].amounts[0].amount != matches_[group - 1].amounts[0].amount) return false;
  const auto is_same = [](Request a, Request b) { return a.data() == b.data() && a.size() == b.size(); };
  return std::ranges::equal(lists_[group], lists_[group - 1], is_same);
}

// Adds the requests of the tree with open groups. none: the tree's are to be listed.
SearchEnd RequestMerge::leave_open(ProviderRow anchor) {
  if (question_.group_policy != GroupPolicy::none) return {SearchEnd::Kind::none, ""};
  std::vector<MirrorCandidates::OpenGroup> open;
  open.reserve(lists_.size());
  for (std::size_t group = 0; group < lists_.size(); ++group) {
    picked_[group] = {};
    if (may_be_open(question_, group, matches_[group])) {
      const auto& amount = matches_[group].amounts[0];
      const bool is_known = !open.empty() && open.back().group + 1 == group && is_like_before(group);
      auto providers = is_known ? std::optional(open.back().providers)
                                : open_providers(state_.shape(), anchor, amount, lists_[group], matches_.size());
      if (providers) {
        open.push_back(
            {static_cast<std::uint32_t>(group), class_numbers_[group][0], amount.amount, *std::move(providers)});
        continue;
      }
    }
    if (lists_[group].size() != 1) return {SearchEnd::Kind::none, ""};
    picked_[group] = lists_[group].front();
  }
  gather_parts();
  if (!satisfies_subtrees() || !is_within_capacity()) return {};
  if (!are_apart(open, parts_)) return {SearchEnd::Kind::none, ""};
  if (++merged_ > most_requests) return {SearchEnd::Kind::ask, "too many requests"};
  gather_mappings();
  candidates_.add_open(parts_, mappings_, std::move(open));
  return {};
}

// With isolate each group with a suffix has a provider of its own.
bool RequestMerge::satisfies_policy() const {
  if (question_.group_policy != GroupPolicy::isolate) return true;
  std::set<ProviderRow> rows;
  for (std::size_t group = 0; group < picked_.size(); ++group) {
    if (!question_.groups[group].suffix.empty() && !rows.insert(picked_[group].front()).second) return false;
  }
  return true;
}

bool RequestMerge::satisfies_subtrees() const {
  return std::ranges::all_of(question_.same_subtree, [this](const auto& suffixes) {
    std::set<ProviderRow> rows;
    for (std::size_t group = 0; group < picked_.size(); ++group) {
      if (std::ranges::find(suffixes, question_.groups[group].suffix) != suffixes.end())
        rows.insert(picked_[group].begin(), picked_[group].end());
    }
    return is_subtree(rows);
  });
}

// Whether one of the rows is above all others.
bool RequestMerge::is_subtree(const std::set<ProviderRow>& rows) const {
  const auto is_under = [this](ProviderRow row, ProviderRow top) {
    while (row != no_row && row != top) row = state_.shape().parent(row);
    return row == top;
  };
  return std::ranges::any_of(rows, [&](ProviderRow top) {
    return std::ranges::all_of(rows, [&](ProviderRow row) { return is_under(row, top); });
  });
}

ProviderRow RequestMerge::giver(std::size_t group, std::size_t amount) const {
  const auto& request = picked_[group];
  return request.size() == 1 ? request.front() : request[amount];
}

// Returns whether a provider gives one class to several groups.
bool RequestMerge::gather_parts() {
  parts_.clear();
  bool has_repeated = false;
  for (std::size_t group = 0; group < picked_.size(); ++group) {
    if (picked_[group].empty()) continue;  // left open
    const auto& amounts = matches_[group].amounts;
    for (std::size_t at = 0; at < amounts.size(); ++at) {
      const MirrorCandidates::Part part{giver(group, at), class_numbers_[group][at], amounts[at].amount};
      const auto known = std::ranges::find_if(parts_, [&part](const auto& former) {
        return former.row == part.row && former.resource_class == part.resource_class;
      });
      if (known == parts_.end()) {
        parts_.push_back(part);
      } else {
        known->amount += part.amount;
        has_repeated = true;
      }
    }
  }
  return has_repeated;
}

bool RequestMerge::is_within_capacity() const {
  return std::ranges::all_of(
      parts_, [this](const auto& part) { return columns_[part.resource_class]->is_within(part.row, part.amount); });
}

void RequestMerge::gather_mappings() {
  mappings_.clear();
  for (std::size_t group = 0; group < picked_.size(); ++group) {
    const auto& request = picked_[group];
    for (std::size_t at = 0; at < request.size(); ++at) {
      if (std::find(request.begin(), request.begin() + static_cast<std::ptrdiff_t>(at), request[at]) ==
          request.begin() + static_cast<std::ptrdiff_t>(at))
        mappings_.push_back({static_cast<std::uint32_t>(group), request[at]});
    }
  }
}

void RequestMerge::add_picked() {
  gather_mappings();
  candidates_.add(parts_, mappings_);
}

}  // namespace

SearchEnd merge_requests(const ProviderState& state, const CandidateQuestion& question,
                         const std::vector<GroupMatches>& matches, MirrorCandidates& candidates) {
  return RequestMerge(state, question, matches, candidates).run();
}

}  // namespace gantry::nova
