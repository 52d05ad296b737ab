// SPDX-License-Identifier: Apache-2.0
//
// The kinds of things that a library may offer to a driver, and what the table of each has to have.
#pragma once

#include <string>
#include <string_view>

#include "core/drivers/file/refusal.hpp"
#include "core/result.hpp"
#include "gantry/ext/offers.h"

namespace gantry::drivers {

bool is_offer_kind(std::string_view kind);
// "gantry.filter/1, gantry.weigher/1".
std::string offer_kinds_text();

// Whether the table that a library lists for an offer of that kind can be used; `subject` is what messages begin with.
Result<void> check_offer_table(std::string_view kind, const void* table, const std::string& subject);

}  // namespace gantry::drivers
