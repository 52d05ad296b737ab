// SPDX-License-Identifier: Apache-2.0
//
// The profiles of a configuration, made ready for decisions: rules by which one of several drivers of topic compute decides a
// request.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/result.hpp"
#include "core/scheduling/profiles/pattern.hpp"
#include "core/scheduling/profiles/request_facts.hpp"

namespace gantry::scheduling {

// The driver that decides a request.
struct ChosenDriver {
  drivers::Driver* driver = nullptr;
  std::string_view profile;  // the rule that took the request; empty: none did
};

// [any thread] Never changes. A reload makes another one.
class Profiles {
 public:
  Profiles() = default;
  // Rules whose driver is not loaded are left out: it is not required, or it is not the one that a question is about.
  Profiles(const std::vector<config::Profile>& profiles, bool are_required, const drivers::DriverSet& drivers);

  // Returns whether the default driver decides each request.
  bool is_empty() const { return rules_.empty() && !are_required_; }
  // Returns the driver of the first rule that takes the request, or else the default driver of topic compute. not_found if
  // there is none. no_valid_host if no rule takes the request and rules are required.
  Result<ChosenDriver> choose(const RequestFacts& facts, const drivers::DriverSet& drivers) const;

 private:
  struct Rule {
    std::string name;
    drivers::Driver* driver;
    PatternList flavor;
    PatternList project;
    PatternList availability_zone;
    PatternList aggregate;
    PatternList group_policy;
    std::map<std::string, PatternList> hints;

    bool takes(const RequestFacts& facts) const;
    bool takes_hints(const RequestFacts& facts) const;
    bool takes_aggregates(const RequestFacts& facts) const;
  };

  std::vector<Rule> rules_;
  bool are_required_ = false;
};

}  // namespace gantry::scheduling
