// SPDX-License-Identifier: Apache-2.0
//
// Reads a view for tests.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/fleet/fleet.hpp"

namespace gantry::fleet::testing {

using Place = std::pair<std::string, std::string>;  // host, node

constexpr Nanoseconds second = 1'000'000'000;
constexpr Nanoseconds noon = 1'800'000'000 * second;

// Every row of a topic as row_to_json shows it. Checks on the way what holds for each view: alignment, codes below
// their count, no bits behind the last row, finite numbers.
std::map<Place, json::object> snapshot(const Moment& moment, std::string_view topic = "compute");
// One row of it; fails the test and gives an empty one if there is none.
json::object row_of(const Moment& moment, std::string_view host, std::string_view node = {},
                    std::string_view topic = "compute");
std::string text_of(std::uint64_t number);  // a uuid text that ends in the number

Service service(std::string_view host, Nanoseconds last_seen_up = noon, std::string_view topic = "compute");
ComputeNode report(std::string_view host, std::string_view node, std::string_view stats, Nanoseconds sampled_at = noon);
void put(Fleet& fleet, const ComputeNode& node);
Instance instance(std::uint64_t number, std::string_view host, std::string_view node);
Claim claim_of(std::string_view consumer, double vcpu, double limit, Nanoseconds created_at = noon);
// Claims a row and confirms the claim, as a request does that succeeds. Fills in topic, host and node.
ClaimOutcome claim(Fleet& fleet, const Moment& moment, std::uint32_t row, Claim& claim, const GroupBound& bound = {});
// Claims the row of a host as it is now.
ClaimOutcome claim(Fleet& fleet, std::string_view host, std::string_view node, Claim claim, Nanoseconds now = noon);
// Commit at once what they change, and return the claims that the store would erase.
std::vector<Claim> release_all(Fleet& fleet, std::string_view consumer, const Claim* kept = nullptr);
std::vector<Claim> sweep(Fleet& fleet, Nanoseconds now);
void acknowledge_cast(Fleet& fleet, std::string_view consumer, Nanoseconds now);
std::vector<Claim> erased_by(const ClaimChanges& changes);

}  // namespace gantry::fleet::testing
