// SPDX-License-Identifier: Apache-2.0
//
// The fleet's records as callers see them: the forms that several methods share.
#pragma once

#include "core/encoding/json.hpp"
#include "core/fleet/fleet.hpp"

namespace gantry::scheduling {

json::object shown(const fleet::Service& service, const fleet::Fleet& fleet, fleet::Nanoseconds now);
json::object shown(const fleet::Instance& instance, bool with_decision);
json::object shown(const fleet::Claim& claim);

}  // namespace gantry::scheduling
