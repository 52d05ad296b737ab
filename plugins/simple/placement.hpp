// SPDX-License-Identifier: Apache-2.0
//
// The placement of one request. Finds the least loaded row for each instance, and counts what the request's earlier
// instances have taken.
#pragma once

#include <array>
#include <cstdint>
#include <gantry/driver.hpp>
#include <gantry/driver/capacity.hpp>
#include <gantry/driver/group_rules.hpp>
#include <string>
#include <unordered_map>
#include <utility>

#include "capacity.hpp"
#include "tournament.hpp"

namespace simple_driver {

class placement {
 public:
  placement(gantry::call& call, const gantry::request& request);

  // Picks a row for the instance, and its alternates. Returns no_valid_host if no row has room.
  gantry::code place(std::uint32_t instance);
  // Returns the reason for the last no_valid_host.
  const std::string& reason() const { return reason_; }
  // Counts the instances that each row takes, for a request without a group. Call it in place of place().
  void count(gantry::row_counts counts) const {
    found_.rows().for_each([&](std::uint32_t row) { counts[row] = capacity_.count(row); });
  }

 private:
  // Enters the least load of each block, which is 64 rows, in the tournament. Returns how many rows have room.
  fitting weigh_all();
  void weigh(std::size_t block);
  fitting loads(std::size_t block, std::array<double, 64>& loads) const;
  void drop(std::uint32_t row);
  // Finds the least loaded row that the group allows. Among equals the lowest row wins. Returns false if there is none.
  bool next(std::uint32_t& row);
  gantry::code offer_alternates(std::uint32_t instance, std::uint32_t chosen);
  void explain_capacity(const fitting& total);
  // Explains each host for the first instance: those with room by their load, then those without.
  void explain_hosts();
  // Returns the first resource that a row lacks, and how much.
  std::pair<const char*, std::string> lack_of(std::uint32_t row) const;
  std::string lack(double wanted, const resource& resource, bool none_left) const;
  void say_none_left(std::uint32_t instance);

  gantry::call& call_;
  const gantry::request& request_;
  taken taken_;
  gantry::group_rules group_;
  gantry::narrowing found_;
  capacity capacity_;
  tournament best_of_block_;
  gantry::bitmap touched_;                                      // rows with instances of this request
  std::unordered_map<std::uint32_t, std::uint32_t> instances_;  // number of this request's instances, by row
  std::uint64_t fitting_hosts_ = 0;                             // hosts with room for the first instance
  std::uint64_t placed_ = 0;                                    // instances of this request that have a host
  std::uint64_t lost_claims_ = 0;                               // rows on which a pick was lost
  std::string reason_;
};

}  // namespace simple_driver
