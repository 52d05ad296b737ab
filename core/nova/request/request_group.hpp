// SPDX-License-Identifier: Apache-2.0
//
// Resources and traits that one resource provider, or one tree of providers, is to give: Nova's RequestGroup.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::nova {

struct RequestGroup {
  std::map<std::string, std::string> resources;  // class -> amount in decimal digits, of any size
  std::set<std::string> required_traits;
  std::set<std::string> forbidden_traits;
  std::vector<std::vector<std::string>> aggregates;  // a provider is in one aggregate of each list
  std::set<std::string> forbidden_aggregates;
  std::optional<std::string> in_tree;  // a provider's uuid
  std::string requester_id;            // the port or device that asks; the group's suffix in the question

  // Sets the amount of a class. Ignores a class that is neither standard nor CUSTOM_, and an amount other than a whole
  // number of 0 or more.
  void add_resource(std::string_view resource_class, std::string_view amount);
  // Adds a trait. Ignores a type other than required and forbidden.
  void add_trait(std::string_view trait, std::string_view type);
  void remove_zero_amounts();
  bool is_empty() const;
};

}  // namespace gantry::nova
