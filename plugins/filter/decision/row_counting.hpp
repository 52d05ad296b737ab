// SPDX-License-Identifier: Apache-2.0
//
// Counts how many instances like the requested one each row takes, one after the other, until a filter rejects the row
// or a limit of the pick is reached. Rows do not depend on each other: what an instance takes changes its own row alone,
// and weighers only choose the order.
//
// A row whose verdicts can only fall as its use grows is found by search, all rows at a time: the filters judge a view
// with as many more claims on each row as are to be tried. Where verdicts may change in either direction, the rows go
// through all numbers of claims. document_walk counts NUMA topologies and PCI pools.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <gantry/driver/capacity.hpp>
#include <optional>
#include <vector>

#include "decision/document_counts.hpp"
#include "decision/more_claims.hpp"
#include "hosts/view_hosts.hpp"
#include "policy/policy.hpp"
#include "request/request_facts.hpp"
#include "rules/asking.hpp"

namespace filter_driver {

class row_counting {
 public:
  struct subject {
    gantry::call& call;
    const gantry::request& request;
    const policy& rules;
    document_cache& documents;
    const request_facts& facts;
    const host_table& hosts;
    const filtering* filters;  // as run on all rows. nullptr if the request skips the filters
    double* rooms;             // scratch memory, as block::rooms
    document_counts& kept;
  };

  // `rows`: bitmap of the rows that take at least one instance as far as filters judge. The members of `asked` must
  // outlive this object.
  row_counting(const subject& asked, const std::vector<std::uint64_t>& rows);

  // Writes the count of each row. Throws gantry::failure: unsupported if a filter's verdicts cannot be foreseen, and
  // deadline_exceeded.
  void count(gantry::row_counts counts);

 private:
  using rows = std::vector<std::uint64_t>;

  void check_rules() const;
  bool has_filter(claims_effect effect) const;
  void limit_by_claims();
  void limit_by_search();
  void limit_by_walk();
  rows passing(const std::vector<double>& claims, const rows& candidates, claims_effect effect);
  void check_deadline() const;

  const subject asked_;
  const rows rows_;
  std::vector<double> most_;  // by row: the count so far. Infinite: any number
  // The hosts with more claims, and the filters that judge them. Made when first needed.
  std::optional<more_claims> claims_;
  const std::vector<placed_here> none_placed_;
  std::optional<view_hosts> hosts_;
  std::optional<asking> with_;
  std::optional<question> question_;
  std::optional<filtering> filters_;
};

}  // namespace filter_driver
