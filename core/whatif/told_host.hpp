// SPDX-License-Identifier: Apache-2.0
//
// The statements of a driver about one host in a decision: the verdict of each filter, and the terms of its weight.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::whatif {

struct ToldVerdict {
  std::string filter;
  bool passed = false;
  std::string reason;
};

struct ToldTerm {
  std::string weigher;
  double raw = 0;
  double normalized = 0;
  double multiplier = 0;

  double value() const { return normalized * multiplier; }
};

struct ToldHost {
  std::vector<ToldVerdict> verdicts;  // in the order in which the filters ask
  std::vector<ToldTerm> terms;
  std::optional<double> weight;  // nullopt: a filter is against the host, or hosts are not weighed

  // Returns the first verdict against the host. nullptr: all filters pass it.
  const ToldVerdict* rejection() const;
  const ToldVerdict* verdict_of(std::string_view filter) const;  // nullptr: it was not asked
  const ToldTerm* term_of(std::string_view weigher) const;       // nullptr: it was not asked
};

// Reads "instances" of an explained decision: of each instance the first host. nullopt for an instance without any.
std::vector<std::optional<ToldHost>> read_told(std::string_view instances);

}  // namespace gantry::whatif
