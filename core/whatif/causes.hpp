// SPDX-License-Identifier: Apache-2.0
//
// The rules by which two decisions about the same hosts differ, in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/scheduling/decision/no_valid_host.hpp"
#include "core/whatif/comparison.hpp"
#include "core/whatif/told_host.hpp"

namespace gantry::whatif {

// The explanations of one host by both releases.
struct ToldTwice {
  std::string host;  // "c1", "c1/node7"
  const std::optional<ToldHost>& before;
  const std::optional<ToldHost>& after;
};
struct Releases {
  const std::string& before;
  const std::string& after;
};

// Returns the filter that refuses the host by one release and not by the other. nullopt: there is none.
std::optional<Cause> filter_cause(const ToldTwice& host, const Releases& releases);

// Returns the weigher that speaks most for the first host before, compared with after. nullopt: none does.
std::optional<Cause> weigher_cause(const ToldTwice& first, const ToldTwice& second, const Releases& releases);

// Returns the first filter that leaves another number of hosts. nullopt: none does.
std::optional<Cause> step_cause(const std::vector<scheduling::Step>& before, const std::vector<scheduling::Step>& after,
                                std::uint32_t instance, const Releases& releases);

}  // namespace gantry::whatif
