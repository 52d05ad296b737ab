// SPDX-License-Identifier: Apache-2.0
//
// The allocation candidates of a request in a test.
#pragma once

#include <gantry/ext/candidates.h>
#include <gantry/testing/arena.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gantry::testing {

// The members are the ones of gantry_candidates.
struct fake_candidates {
  using set = std::vector<std::vector<std::string>>;  // for each group the providers of its choice

  std::vector<std::string> groups = {};
  std::map<std::uint32_t, std::vector<set>> rows = {};  // a row that is not here has no candidate
  std::map<std::string, std::uint32_t> rooms = {};      // a provider that is not here can serve any number of groups

  // Returns the ABI's struct, in the arena, for a view of so many rows.
  const gantry_candidates* raw(arena& arena, std::uint32_t row_count) const {
    std::vector<std::string> providers;
    std::vector<gantry_slice> sets;
    std::vector<std::uint32_t> choices;
    gantry_slice* by_row = arena.array<gantry_slice>(row_count);
    for (const auto& [row, offered] : rows) {
      by_row[row] = {static_cast<std::uint32_t>(sets.size() / std::max<std::size_t>(groups.size(), 1)),
                     static_cast<std::uint32_t>(offered.size())};
      for (const set& each : offered) {
        for (const auto& choice : each) {
          sets.push_back({static_cast<std::uint32_t>(choices.size()), static_cast<std::uint32_t>(choice.size())});
          for (const std::string& provider : choice) choices.push_back(number_of(provider, providers));
        }
      }
    }
    gantry_candidates* made = arena.array<gantry_candidates>(1);
    made->struct_size = sizeof(gantry_candidates);
    made->group_count = static_cast<std::uint32_t>(groups.size());
    made->groups = texts(arena, groups);
    made->providers = texts(arena, providers);
    made->provider_count = providers.size();
    made->rooms = rooms_of(arena, providers);
    made->rows = by_row;
    made->sets = copied(arena, sets);
    made->set_count = sets.size() / std::max<std::size_t>(groups.size(), 1);
    made->choices = copied(arena, choices);
    made->choice_count = choices.size();
    return made;
  }

 private:
  static std::uint32_t number_of(const std::string& provider, std::vector<std::string>& known) {
    const auto found = std::find(known.begin(), known.end(), provider);
    const auto number = static_cast<std::uint32_t>(found - known.begin());
    if (found == known.end()) known.push_back(provider);
    return number;
  }
  static const gantry_string* texts(arena& arena, const std::vector<std::string>& all) {
    gantry_string* made = arena.array<gantry_string>(all.size());
    for (std::size_t at = 0; at < all.size(); ++at) made[at] = arena.copy(all[at]);
    return made;
  }
  template <class Element>
  static const Element* copied(arena& arena, const std::vector<Element>& all) {
    Element* made = arena.array<Element>(all.size());
    std::copy(all.begin(), all.end(), made);
    return made;
  }
  const std::uint32_t* rooms_of(arena& arena, const std::vector<std::string>& providers) const {
    std::uint32_t* made = arena.array<std::uint32_t>(providers.size());
    for (std::size_t at = 0; at < providers.size(); ++at) {
      const auto room = rooms.find(providers[at]);
      made[at] = room == rooms.end() ? UINT32_MAX : room->second;
    }
    return made;
  }
};

}  // namespace gantry::testing
