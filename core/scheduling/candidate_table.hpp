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

#include "gantry/driver.h"

namespace gantry::scheduling {

// Which provider serves which group: (id of the group, uuid of the provider). Empty: the choice is left to the authority.
using GroupProviders = std::vector<std::pair<std::string, std::string>>;

struct CandidateTable {
  std::vector<std::string> groups;
  std::vector<std::string> providers;
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
    bool operator==(const Provider&) const = default;
  };

  RowOfCandidates(CandidateTable& table, std::uint32_t row)
      : table_(table), row_(row), first_provider_(table.providers.size()) {
    table_.rows[row_] = {table_.set_count(), 0};
  }

  // Adds a set: for each group of the table the providers that can serve it. A single candidate that is there already is
  // passed over.
  void add(const std::vector<std::vector<Provider>>& by_group) {
    std::vector<std::uint32_t> key;
    const auto first_choice = table_.choices.size();
    const auto first_slice = table_.sets.size();
    for (std::size_t group = 0; group < by_group.size(); ++group) {
      const auto& providers = by_group[group];
      // Equal groups have one list.
      if (group != 0 && providers.size() > 1 && providers == by_group[group - 1]) {
        table_.sets.push_back(table_.sets.back());
        continue;
      }
      table_.sets.push_back(
          {static_cast<std::uint32_t>(table_.choices.size()), static_cast<std::uint32_t>(providers.size())});
      for (const auto& each : providers) table_.choices.push_back(number_of(each));
      if (providers.size() == 1) key.push_back(table_.choices.back());
    }
    if (key.size() == by_group.size() && !known_.insert(std::move(key)).second) {
      table_.choices.resize(first_choice);
      table_.sets.resize(first_slice);
      return;
    }
    ++table_.rows[row_].count;
  }

 private:
  std::uint32_t number_of(const Provider& provider) {
    for (auto at = first_provider_; at < table_.providers.size(); ++at) {
      if (table_.providers[at] == provider.uuid && table_.rooms[at] == provider.room)
        return static_cast<std::uint32_t>(at);
    }
    table_.providers.emplace_back(provider.uuid);
    table_.rooms.push_back(provider.room);
    return static_cast<std::uint32_t>(table_.providers.size() - 1);
  }

  CandidateTable& table_;
  const std::uint32_t row_;
  const std::size_t first_provider_;
  std::set<std::vector<std::uint32_t>> known_;
};

}  // namespace gantry::scheduling
