// SPDX-License-Identifier: Apache-2.0
//
// A claim as the journal of requests keeps it, so that another process can end it.
#pragma once

#include <string>
#include <string_view>

#include "core/nova/placement/claim.hpp"
#include "core/result.hpp"

namespace gantry::nova {

struct ClaimNote {
  ClaimRequest request;
  ClaimOutcome outcome;  // as far as it is known: nothing is claimed yet, or what stands
};

std::string text_of(const ClaimNote& note);
Result<ClaimNote> read_claim_note(std::string_view text);

}  // namespace gantry::nova
