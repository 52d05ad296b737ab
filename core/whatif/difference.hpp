// SPDX-License-Identifier: Apache-2.0
//
// Compares what became of one request on the two sides, and finds the rule by which it differs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/whatif/comparison.hpp"
#include "core/whatif/side.hpp"

namespace gantry::whatif {

// Nothing differs. `equal_weight`: an instance goes to another host, and both hosts weigh the same by both releases.
struct Same {
  bool equal_weight = false;
};
// The verdict. A text says why the request cannot be judged.
using Verdict = std::variant<Same, Difference, std::string>;

// Tells of a row on one side, by instance (Side::tell).
using Tell = std::function<std::vector<std::optional<ToldHost>>(Side& side, std::uint32_t row)>;

class RequestComparison {
 public:
  // All arguments outlive the object.
  RequestComparison(Side& before, const Outcome& was, Side& after, const Outcome& is, const Tell& tell)
      : before_(before), was_(was), after_(after), is_(is), tell_(tell) {}

  Verdict run();

 private:
  std::optional<Verdict> fail() const;
  // Compares the instance. nullopt: it goes to the same host.
  std::optional<Verdict> compare(std::uint32_t instance);
  std::vector<Cause> causes_without_host(std::uint32_t instance) const;
  Difference difference(std::uint32_t instance, std::vector<Cause> causes) const;
  Place place_of(const Side& side, const Outcome& outcome, std::uint32_t instance) const;
  std::string name_of(std::uint32_t row) const;

  Side& before_;
  const Outcome& was_;
  Side& after_;
  const Outcome& is_;
  const Tell& tell_;
};

}  // namespace gantry::whatif
