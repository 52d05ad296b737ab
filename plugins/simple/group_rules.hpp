// SPDX-License-Identifier: Apache-2.0
//
// Server groups. Affinity requires a host that holds a member, once the group has members. Anti-affinity excludes
// hosts that hold max_server_per_host members or more (1 if the group's rules do not set the number). The soft
// policies have no effect here. The members on all nodes of a host count together.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <string_view>
#include <unordered_map>

namespace simple_driver {

class group_rules {
 public:
  explicit group_rules(const gantry::request& request);

  // True if the request has a group whose policy is affinity or anti-affinity.
  bool binds() const { return policy_ != policy::unbound; }
  std::string_view name() const { return policy_ == policy::affinity ? "affinity" : "anti-affinity"; }
  std::string_view reason() const {
    return policy_ == policy::affinity ? "they hold no member of the group" : "they hold a member of the group";
  }

  // Returns the group rule that the core checks again for each pick.
  gantry::group_bound bound() const {
    return {policy_ == policy::anti_affinity ? most_on_a_host_ : 0, policy_ == policy::affinity};
  }
  // Removes the rows that the group's current members exclude.
  void narrow(gantry::call& call, gantry::bitmap& rows) const;
  // Returns whether a row is still allowed after the placements that placed() recorded.
  bool allows(std::uint32_t row) const;
  // Records a placement. Returns true if narrow() must be called again: under affinity, the group now has its first
  // member.
  bool placed(std::uint32_t row);

 private:
  enum class policy { unbound, affinity, anti_affinity };
  bool is_open(std::uint32_t members) const;

  policy policy_ = policy::unbound;
  std::uint32_t most_on_a_host_ = 1;
  gantry::text_column hosts_;
  std::unordered_map<std::uint32_t, std::uint32_t> members_;  // code of the host's name -> members on the host
};

}  // namespace simple_driver
