// SPDX-License-Identifier: Apache-2.0
//
// The placement of one request by a policy. Rows that the request may use, that the zone and the server group allow and
// that have room go through the filters in the order of the file. The weight of a row is the sum of its scores, each
// scaled to 0..1 over the rows that passed, times the weigher's multiplier. Rows of equal weight are tried in an order
// that the call's seed gives.
//
// Later instances of the request see what earlier ones took. A function of one host is then asked again about the row
// that has changed, a function of all hosts about all.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <gantry/driver/group_rules.hpp>
#include <optional>
#include <string>
#include <vector>

#include "policy.hpp"
#include "room.hpp"

namespace lua_driver {

class placement {
 public:
  // `checks_room`: rows without room are left out, and capacity times allocation ratio are the limits of picks.
  placement(policy& policy, gantry::call& call, const gantry::request& request, bool checks_room);
  ~placement() { policy_.end(); }
  placement(const placement&) = delete;
  placement& operator=(const placement&) = delete;

  // Picks a row for the instance, and its alternates. Returns no_valid_host if none is left.
  gantry::code place(std::uint32_t instance);
  // Returns the reason for the last no_valid_host.
  const std::string& reason() const { return reason_; }

 private:
  struct filtered {
    gantry::bitmap known;  // rows whose verdict is known
    judgement said;
  };
  struct weighed {
    gantry::bitmap known;   // rows whose score, or that they have none, is known
    gantry::bitmap scored;  // rows with a score
    gantry::span<double> scores;
    double least = 0;
    double range = 0;  // greatest score less the least

    double normalized(std::uint32_t row, double multiplier) const;
  };

  void keep_zone();
  void keep_room();
  void filter(std::uint32_t instance);
  gantry::bitmap lacking(const std::vector<std::string>& needs, const gantry::bits& rows, std::string& reason) const;
  void ask(const rule& filter, std::size_t index, const gantry::bits& rows, std::uint32_t instance);
  void tell_step(const rule& filter, std::uint64_t before, const std::string& reason);
  void weigh(std::uint32_t instance);
  void score(const rule& weigher, std::size_t index, std::uint32_t instance);
  void add_scores(const rule& weigher, const weighed& scored);
  bool best(std::uint32_t& row) const;
  std::uint64_t order_of(std::uint32_t row) const;
  void drop(std::uint32_t row);
  void took(std::uint32_t instance, std::uint32_t row);
  gantry::code offer_alternates(std::uint32_t instance, std::uint32_t chosen);
  gantry::limits limits(std::uint32_t row) const;
  std::uint64_t seed_of(std::uint32_t instance, std::size_t rule) const;
  void say_none_left(std::uint32_t instance);
  gantry::bitmap copy_of(const gantry::bits& rows) const;

  // In placement_explain.cpp.
  void explain_hosts();
  void explain_host(std::uint32_t row, std::optional<std::uint64_t> rank);
  void ask_all_filters();

  policy& policy_;
  gantry::call& call_;
  const gantry::request& request_;
  gantry::group_rules group_;
  gantry::narrowing found_;  // its rows: those that the policy is asked about
  consumption taken_;
  std::optional<room> room_;  // nullopt: room is not checked
  std::uint64_t seed_;
  std::vector<filtered> filters_;
  std::vector<weighed> weighers_;
  gantry::bitmap passed_;            // rows that can be chosen
  gantry::span<double> weights_;     // by row in passed_
  std::uint64_t order_ = 0;          // seed of the order of equals
  std::string emptied_by_;           // the filter that left no row, and why
  std::uint64_t fitting_hosts_ = 0;  // hosts that passed for the first instance
  std::uint64_t placed_ = 0;
  std::uint64_t lost_claims_ = 0;
  std::string reason_;
};

}  // namespace lua_driver
