// SPDX-License-Identifier: Apache-2.0
//
// Allocations as placement's API writes them: {"<provider>": {"resources": {"VCPU": 1}}}.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::nova {

// Whether each provider has resources, whose amounts are positive integers.
bool are_allocations(const json::object& allocations);
// Whether both give the same resources from the same providers. All else in them is passed over.
bool are_same_allocations(const json::object& one, const json::object& other);

// The allocations of a consumer, as GET /allocations/{uuid} tells it.
struct HeldAllocations {
  json::object allocations;  // with resources alone; empty: the consumer holds nothing
  std::optional<std::int64_t> generation;
  std::string project_id;
  std::string user_id;
};
Result<HeldAllocations> read_held_allocations(std::string_view body);

// Nova's rule for a consumer that moves: it keeps all that it holds, and gets what the request takes from further
// providers.
json::object merge_for_move(const json::object& held, const json::object& requested);

}  // namespace gantry::nova
