// SPDX-License-Identifier: Apache-2.0
//
// A driver of a site's own, written in C against the header alone and built by one compiler line.
#pragma once

#include <string>
#include <vector>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {

struct SiteDriver {
  std::string id = "first";
  std::string manifest{};  // lines beside those that each manifest has, "[columns]\\nneeds = ['stats.rack:string']\\n"
  std::string create{};    // C statements in its create, and in its destroy
  std::string destroy{};
  std::string begin{};  // C statements in front of the decision, which is the first host; `request` is in scope
  std::vector<std::string> flags{};  // more for the compiler
};

// Builds it into gantry's driver directory; the test fails if the compiler refuses it.
void build(const SiteDriver& driver, const RunningGantry& gantry);

}  // namespace gantry::test
