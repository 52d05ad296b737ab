// SPDX-License-Identifier: Apache-2.0
//
// Server groups, as the driver simple has them. Affinity requires a host that holds a member, once the group has members.
// Anti-affinity excludes hosts that hold max_server_per_host members or more (1 if the group's rules do not set the
// number). The soft policies exclude no host: a script can weigh them by `group_members`. The members on all nodes of a
// host count together.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <string_view>
#include <unordered_map>

namespace lua_driver {

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
  void narrow(gantry::bitmap& rows) const;
  // Returns how many members the host of a row holds.
  std::uint32_t members_on(std::uint32_t row) const;
  // Records a placement.
  void placed(std::uint32_t row);

 private:
  enum class policy { unbound, affinity, anti_affinity };

  policy policy_ = policy::unbound;
  bool has_group_ = false;
  std::uint32_t most_on_a_host_ = 1;
  gantry::text_column hosts_;
  std::unordered_map<std::uint32_t, std::uint32_t> members_;  // code of the host's name -> members on the host
};

}  // namespace lua_driver
