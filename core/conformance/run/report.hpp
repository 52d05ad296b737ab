// SPDX-License-Identifier: Apache-2.0
//
// Writes the outcome of a run as JSON and as JUnit XML.
#pragma once

#include <string>
#include <vector>

#include "core/conformance/run/suite.hpp"
#include "core/encoding/json.hpp"

namespace gantry::conformance {

// Returns "passed", "failed", "exempt" or "not_applicable".
std::string_view state_of(const Outcome& outcome);

// {"file", "sha256", "id", "version", "abi", "grade", "gantry", "failed", "rules": [...]}; grade is null without one. cost:
// what a decision costs, in scans of a column; empty: not measured.
json::object report(const Subject& subject, const std::vector<Outcome>& outcomes, const std::string& cost);

// For continuous integration: one test suite, a test case for each rule.
std::string junit(const Subject& subject, const std::vector<Outcome>& outcomes);

// Returns the page of all rules, gantry-driver-rules(7), in the format of scdoc.
std::string rules_page();

}  // namespace gantry::conformance
