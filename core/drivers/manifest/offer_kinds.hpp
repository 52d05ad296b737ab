// SPDX-License-Identifier: Apache-2.0
//
// The kinds of offers, and the check of their tables.
#pragma once

#include <string>
#include <string_view>

#include "core/drivers/file/refusal.hpp"
#include "core/result.hpp"
#include "gantry/ext/offers.h"

namespace gantry::drivers {

bool is_offer_kind(std::string_view kind);
// Returns "gantry.filter/1, gantry.weigher/1".
std::string offer_kinds_text();

// Checks the table that a library gives for an offer of a kind. Messages begin with `subject`.
Result<void> check_offer_table(std::string_view kind, const void* table, const std::string& subject);

}  // namespace gantry::drivers
