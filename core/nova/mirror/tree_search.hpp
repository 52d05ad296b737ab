// SPDX-License-Identifier: Apache-2.0
//
// The search for a group without suffix where there are trees or sharing providers: several providers of a tree may
// give one amount each, and sharing providers take part in the trees of their aggregates.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "core/nova/mirror/group_search.hpp"

namespace gantry::nova {

// The demands of a group as sets of rows.
struct GroupFilters {
  std::vector<RowSet> with_capacity;    // one an amount
  std::vector<const RowSet*> required;  // one a trait
  RowSet forbidden;                     // rows with a forbidden trait
  std::optional<RowSet> members;        // nullopt: the group asks for no aggregate
  RowSet outsiders;                     // members of forbidden aggregates
  ProviderRow tree = no_row;            // the only root
};

class TreeSearch {
 public:
  // The arguments must outlive this object.
  TreeSearch(SearchScope& scope, const GroupFilters& filters, GroupMatches& matches)
      : scope_(scope), state_(scope.state), amounts_(matches.amounts), filters_(filters), matches_(matches) {}

  // Adds what it finds to the matches.
  SearchEnd run();

 private:
  struct SharedAmount {
    ProviderRow anchor;
    ProviderRow provider;
    std::size_t amount;  // number
  };

  bool is_any_required_known() const;
  bool is_admitted(ProviderRow row, ProviderRow anchor) const;
  void find_shared();
  void find_whole();
  RowSet find_anchors() const;
  SearchEnd check_loaded(const RowSet& anchors);
  SearchEnd search_tree(ProviderRow anchor);
  void find_givers(ProviderRow anchor, std::size_t amount);
  bool has_required(const std::vector<ProviderRow>& rows) const;
  SearchEnd add_combinations();

  SearchScope& scope_;
  const ProviderState& state_;
  const std::vector<GroupAmount>& amounts_;
  const GroupFilters& filters_;
  GroupMatches& matches_;
  std::vector<SharedAmount> shared_;              // ordered by anchor
  RowSet plain_;                                  // roots of the trees in which no other provider can give any amount
  std::vector<std::vector<ProviderRow>> givers_;  // the rows for each amount, in the tree under search
  std::set<std::vector<ProviderRow>> known_;      // requests of sharing providers alone, which other trees may have too
};

}  // namespace gantry::nova
