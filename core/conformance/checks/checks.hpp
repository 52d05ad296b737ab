// SPDX-License-Identifier: Apache-2.0
//
// The rooms of rules. Each function returns the rules of one kind.
#pragma once

#include <vector>

#include "core/conformance/rule.hpp"

namespace gantry::conformance {

// The rules, each tried with several seeds.
inline std::vector<Rule> with_seeds(std::vector<Rule> rules) {
  for (Rule& rule : rules) rule.seeds = 3;
  return rules;
}

std::vector<Rule> file_rules();
std::vector<Rule> decision_rules();
std::vector<Rule> claim_rules();
std::vector<Rule> data_rules();
std::vector<Rule> state_rules();
std::vector<Rule> option_rules();
std::vector<Rule> size_rules();
std::vector<Rule> future_rules();
std::vector<Rule> method_rules();
std::vector<Rule> apart_rules();
std::vector<Rule> process_rules();
std::vector<Rule> offer_rules();
std::vector<Rule> telling_rules();

}  // namespace gantry::conformance
