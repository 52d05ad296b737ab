// SPDX-License-Identifier: Apache-2.0
//
// Whether several claims fit together, as placement would find when they are made one after the other.
#pragma once

#include <span>
#include <string>

#include "core/nova/mirror/provider_state.hpp"

namespace gantry::nova {

// `allocation_requests`: JSON, as CandidateSet::request_of returns it. False: some provider or inventory is unknown, or the
// sum of the requests exceeds a capacity.
bool have_room_together(const ProviderState& state, std::span<const std::string> allocation_requests);

}  // namespace gantry::nova
