// SPDX-License-Identifier: Apache-2.0
//
// Runs rules, each in a process of its own, and collects their verdicts.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/conformance/rule.hpp"
#include "core/conformance/subject.hpp"
#include "core/result.hpp"

namespace gantry::conformance {

struct Settings {
  std::string file;
  std::vector<std::string> options;  // key=value, as the user wrote them
  std::vector<const Rule*> chosen;
  std::uint64_t seed = 1;
  std::chrono::milliseconds limit{60'000};                 // for each rule
  std::map<std::string, std::string> exemptions;           // rule -> reason
  std::function<void(std::size_t, std::size_t)> progress;  // how many rules have ended, and of how many; may be empty
};

// A rule and its outcome. `exemption` is the reason, if the file is exempt from the rule.
struct Outcome {
  const Rule* rule = nullptr;
  Verdict verdict;
  std::string exemption;
  std::uint64_t seed = 0;
  std::chrono::milliseconds took{0};

  bool fails() const { return verdict.state == State::failed && exemption.empty(); }
};

// Runs the rules, as many at a time as there are processors. The program calls itself: /proc/self/exe
// driver judge-rule. Not for a process with threads.
Result<std::vector<Outcome>> run_rules(const Settings& settings);

// Runs one rule in this process, whose memory it bounds, and returns the verdict as JSON. A driver that crashes ends the
// process.
Result<std::string> judge_rule(const std::string& file, const Rule& rule, const std::vector<std::string>& options,
                               std::uint64_t seed);

// Opens the file and reads the options. Fails if the file is refused, an option is unknown or has a wrong value, or a
// required one is missing.
Result<Subject> open_subject(const std::string& file, const std::vector<std::string>& options, std::uint64_t seed);

// Reads the exemptions, a table rule -> reason. Fails for an unknown rule and for an empty reason.
Result<std::map<std::string, std::string>> parse_exemptions(std::string_view text, const std::string& name);

// Returns the highest grade of which each rule holds, and of each lower grade. nullopt: not even bronze.
std::optional<Grade> grade_of(const std::vector<Outcome>& outcomes);

}  // namespace gantry::conformance
