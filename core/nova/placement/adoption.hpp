// SPDX-License-Identifier: Apache-2.0
//
// Finds out which candidate an instance holds already, for a request whose scheduler ended before it answered.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/nova/placement/allocations.hpp"
#include "core/nova/placement/attempt.hpp"
#include "core/nova/placement/candidates.hpp"

namespace gantry::nova {

// Asks for the allocations of a consumer, again while placement is away. Calls `done` once, at the attempt's deadline at
// the latest. [strand]
void look_up_consumer(Attempt attempt, const std::string& consumer, const std::string& request_id,
                      std::function<void(Result<HeldAllocations>)> done);

// Returns the one allocation request that is part of the allocations. nullopt: none is, or several are.
std::optional<std::string_view> find_held_candidate(const Candidates& candidates, const json::object& allocations);

}  // namespace gantry::nova
