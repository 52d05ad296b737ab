// SPDX-License-Identifier: Apache-2.0
#include "core/conformance/rule.hpp"
#include "core/conformance/checks/checks.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::conformance {

std::string_view name_of(Grade grade) {
  return grade == Grade::bronze ? "bronze" : grade == Grade::silver ? "silver" : "gold";
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> made;
    for (auto room : {file_rules, decision_rules, claim_rules, data_rules, state_rules, option_rules, size_rules,
                      future_rules, method_rules, offer_rules, apart_rules, process_rules, telling_rules})
      for (Rule& rule : room()) made.push_back(rule);
    return made;
  }();
  return all;
}

std::string nearest_rule(std::string_view id) {
  std::vector<std::string> ids;
  for (const Rule& rule : rules()) ids.emplace_back(rule.id);
  return nearest(id, ids);
}

const Rule* find_rule(std::string_view id) {
  for (const Rule& rule : rules())
    if (rule.id == id) return &rule;
  return nullptr;
}

const Rule* find_check(std::string_view id) {
  for (const Rule* other : {&cost(), &fuzz(), &fuzz_batch()})
    if (other->id == id) return other;
  return find_rule(id);
}

}  // namespace gantry::conformance
