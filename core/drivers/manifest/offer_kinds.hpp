// SPDX-License-Identifier: Apache-2.0
//
// The kinds of offers (filter and weigher), and the check of an offer's table of functions.
#pragma once

#include <string>
#include <string_view>

#include "core/drivers/file/refusal.hpp"
#include "core/result.hpp"
#include "gantry/ext/offers.h"

namespace gantry::drivers {

// Returns whether this host knows the kind.
bool is_offer_kind(std::string_view kind);
// Returns all kinds, for messages: "gantry.filter/1, gantry.weigher/1".
std::string offer_kinds_text();

// Checks the table of functions that a library gives for an offer: a gantry_filter_ops or gantry_weigher_ops, depending
// on the kind. Messages begin with `subject`.
Result<void> check_offer_table(std::string_view kind, const void* table, const std::string& subject);

}  // namespace gantry::drivers
