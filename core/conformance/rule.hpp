// SPDX-License-Identifier: Apache-2.0
//
// A rule of the validator: one thing that a good driver, or a library of offers, does. Each rule runs in a process of its
// own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gantry::conformance {

class Subject;

// bronze: the file loads and decides rightly. silver: the file is robust. gold: the file is a pleasure to operate.
enum class Grade : std::uint8_t { bronze, silver, gold };
std::string_view name_of(Grade grade);

enum class State : std::uint8_t { passed, failed, not_applicable };

// The outcome of one rule. `expected` and `found` are set if the rule failed. `found` of a rule that does not apply says
// why.
struct Verdict {
  State state = State::passed;
  std::string expected = {};
  std::string found = {};
};

inline Verdict failed(std::string expected, std::string found) {
  return {State::failed, std::move(expected), std::move(found)};
}
inline Verdict not_applicable(std::string why) {
  return {State::not_applicable, {}, std::move(why)};
}

struct Rule {
  std::string_view id;  // public: results, exemptions and scripts name the rule by it
  Grade grade;
  std::string_view title;    // the rule, as a sentence
  std::string_view why;      // the harm that the rule prevents
  std::string_view mistake;  // an example of code that breaks the rule
  std::string_view clause;   // the part of driver.h or of the SDK's pages that says so
  Verdict (*check)(Subject& subject);
  std::uint32_t seeds = 1;  // how many seeds a run tries, from the given one on
};

// The rule that create succeeds. Each rule behind this one needs an instance.
inline constexpr std::string_view rule_of_create = "can-be-created";

// All rules, room by room.
const std::vector<Rule>& rules();
// Measures the cost of a decision in scans of one column, the text in `found` of the verdict. Not a rule: nothing fails.
const Rule& cost();
// A random case of the seed, and fifty of them. Not among the rules.
const Rule& fuzz();
const Rule& fuzz_batch();
// nullptr: there is no such rule.
const Rule* find_rule(std::string_view id);
// Finds the ones that are not among the rules, too.
const Rule* find_check(std::string_view id);
// Returns the id that is most like the text.
std::string nearest_rule(std::string_view id);

}  // namespace gantry::conformance
