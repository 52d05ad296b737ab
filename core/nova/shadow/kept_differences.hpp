// SPDX-License-Identifier: Apache-2.0
//
// Differences with their facts, in files that `gantry whatif` reads: TIME-INSTANCE.fleet.json and
// TIME-INSTANCE.request.json.
#pragma once

#include <cstddef>
#include <string>

#include "core/fleet/documents/document.hpp"
#include "core/nova/shadow/shadow_decision.hpp"
#include "core/result.hpp"

namespace gantry::nova {

// Returns the document with the hosts of topic compute that a decision saw, and no others: they alone were candidates.
std::string facts_of_decision(fleet::Document document, const HostStandings& seen);

// Used by one thread at a time.
class KeptDifferences {
 public:
  // `most`: how many are kept. The directory is made with the first.
  KeptDifferences(std::string directory, std::size_t most) : directory_(std::move(directory)), most_(most) {}

  // Returns the path of the fleet's file. Empty if none is kept. The oldest beyond the number are removed.
  Result<std::string> keep(const std::string& name, const std::string& fleet, const std::string& request) const;

 private:
  void remove_oldest() const;

  const std::string directory_;
  const std::size_t most_;
};

}  // namespace gantry::nova
