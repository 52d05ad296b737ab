// SPDX-License-Identifier: Apache-2.0
//
// The allocation candidates of the rows of a view, as a driver gets them: gantry_candidates says what the members mean.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gantry/ext/candidates.h"

namespace gantry::scheduling {

// Which provider serves which group: (id of the group, uuid of the provider). Empty: the choice is left to the authority.
using GroupProviders = std::vector<std::pair<std::string, std::string>>;

// Texts one behind the other. A string for each provider of each host would take longer to make than the candidates.
class TextList {
 public:
  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t at) const {
    const auto begin = at == 0 ? 0 : ends_[at - 1];
    return std::string_view(texts_).substr(begin, ends_[at] - begin);
  }
  void push_back(std::string_view text) {
    texts_ += text;
    ends_.push_back(texts_.size());
  }

 private:
  std::string texts_;
  std::vector<std::size_t> ends_;
};

struct CandidateTable {
  std::vector<std::string> groups;
  TextList providers;
  std::vector<std::uint32_t> rooms;  // by provider
  std::vector<gantry_slice> rows;    // parts of `sets`; a set is one slice a group
  std::vector<gantry_slice> sets;    // parts of `choices`
  std::vector<std::uint32_t> choices;

  std::uint32_t set_count() const {
    return groups.empty() ? 0 : static_cast<std::uint32_t>(sets.size() / groups.size());
  }
  // Returns whether the providers, by number and one for each group, are a candidate of the row.
  bool contains(std::uint32_t row, std::span<const std::uint32_t> chosen) const {
    if (chosen.size() != groups.size()) return false;
    for (auto set = rows[row].begin; set < rows[row].begin + rows[row].count; ++set) {
      bool is_candidate = true;
      for (std::size_t group = 0; is_candidate && group < groups.size(); ++group) {
        const auto& slice = sets[set * groups.size() + group];
        const auto own = std::span(choices).subspan(slice.begin, slice.count);
        is_candidate = std::ranges::find(own, chosen[group]) != own.end() &&
                       std::ranges::count(chosen, chosen[group]) <= rooms[chosen[group]];
      }
      if (is_candidate) return true;
    }
    return false;
  }
  // Returns whether each part lies within the whole.
  bool is_sound() const {
    const auto are_within = [](const std::vector<gantry_slice>& slices, std::size_t whole) {
      return std::ranges::all_of(
          slices, [whole](const gantry_slice& each) { return std::uint64_t{each.begin} + each.count <= whole; });
    };
    const auto is_provider = [this](std::uint32_t choice) { return choice < providers.size(); };
    return !groups.empty() && sets.size() % groups.size() == 0 && rooms.size() == providers.size() &&
           are_within(rows, set_count()) && are_within(sets, choices.size()) &&
           std::ranges::all_of(choices, is_provider);
  }
  // Refers to this table.
  gantry_candidates raw(const gantry_string* group_texts, const gantry_string* provider_texts) const {
    return {sizeof(gantry_candidates),
            static_cast<std::uint32_t>(groups.size()),
            group_texts,
            provider_texts,
            rooms.data(),
            providers.size(),
            rows.data(),
            sets.data(),
            set_count(),
            choices.data(),
            choices.size()};
  }
};

// Adds the candidates of one row to a table.
class RowOfCandidates {
 public:
  struct Provider {
    std::string_view uuid;
    std::uint32_t room = UINT32_MAX;  // how many groups it can serve
  };

  RowOfCandidates(CandidateTable& table, std::uint32_t row)
      : table_(table), row_(row), first_provider_(table.providers.size()) {
    table_.rows[row_] = {table_.set_count(), 0};
  }

  // Adds a set: for each group of the table a part of `providers`, those that can serve it. Equal groups may share a part.
  // A single candidate that is there already is passed over, and a set that does not have all groups.
  void add(std::span<const Provider> providers, std::span<const gantry_slice> groups) {
    if (groups.size() != table_.groups.size()) return;
    numbers_.clear();
    for (const auto& each : providers) numbers_.push_back(number_of(each));
    std::vector<std::uint32_t> single;
    if (std::ranges::all_of(groups, [](const gantry_slice& each) { return each.count == 1; })) {
      for (const auto& each : groups) single.push_back(numbers_[each.begin]);
      if (!known_.insert(std::move(single)).second) return;
    }
    const gantry_slice* before = nullptr;
    for (const auto& each : groups) {
      if (before != nullptr && before->begin == each.begin && before->count == each.count) {
        table_.sets.push_back(table_.sets.back());
      } else {
        table_.sets.push_back({static_cast<std::uint32_t>(table_.choices.size()), each.count});
        const auto own = std::span(numbers_).subspan(each.begin, each.count);
        table_.choices.insert(table_.choices.end(), own.begin(), own.end());
      }
      before = &each;
    }
    ++table_.rows[row_].count;
  }

 private:
  std::uint32_t number_of(const Provider& provider) {
    for (auto at = first_provider_; at < table_.providers.size(); ++at) {
      if (table_.providers[at] == provider.uuid && table_.rooms[at] == provider.room)
        return static_cast<std::uint32_t>(at);
    }
    table_.providers.push_back(provider.uuid);
    table_.rooms.push_back(provider.room);
    return static_cast<std::uint32_t>(table_.providers.size() - 1);
  }

  CandidateTable& table_;
  const std::uint32_t row_;
  const std::size_t first_provider_;
  std::vector<std::uint32_t> numbers_;  // the numbers of the providers that are being added
  std::set<std::vector<std::uint32_t>> known_;
};

}  // namespace gantry::scheduling
