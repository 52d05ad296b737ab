// SPDX-License-Identifier: Apache-2.0
//
// The fake host's claims: which ones a row admits, and what a call leaves behind.
#pragma once

#include <gantry/driver.h>
#include <gantry/testing/fake_call.hpp>
#include <gantry/testing/fake_state.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gantry::testing::services {

// Returns all resources that a pick claims: the instance's own and the pick's items.
inline std::vector<claimed_item> claims_of(const fake_request& request, const picked& pick) {
  std::vector<claimed_item> items = pick.items;
  items.push_back({"vcpu", static_cast<double>(request.vcpus.value_or(0)), pick.limit_vcpu});
  items.push_back({"memory_mb", static_cast<double>(request.memory_mb.value_or(0)), pick.limit_memory_mb});
  items.push_back({"disk_gb", request.disk_gb, pick.limit_disk_gb});
  items.push_back({"instances", 1});
  return items;
}

// Returns the uuid of an instance of the request. Empty if the request names none: it then claims nothing.
inline std::string uuid_of(const fake_request& request, std::uint32_t instance) {
  return instance < request.instance_uuids.size() ? request.instance_uuids[instance] : std::string();
}

// Returns what an earlier pick for the instance holds on the row, which a new pick replaces. nullptr if there is none.
inline const std::vector<claimed_item>* replaced_by(const fake_state& host, const host_row& row,
                                                    const std::string& uuid) {
  const auto found = host.held_by_picks().find({uuid, row.host, row.node});
  return uuid.empty() || found == host.held_by_picks().end() ? nullptr : &found->second;
}

inline double amount_in(const std::vector<claimed_item>& items, const std::string& resource) {
  double sum = 0;
  for (const claimed_item& item : items) sum += item.resource == resource ? item.amount : 0;
  return sum;
}

// Returns true if the new items fit on the row: for each item with a limit, the sum of reported use, earlier claims,
// the claims of this call and the new amounts is at most the limit. `replaced` does not count and may be nullptr.
inline bool has_room(fake_call& call, std::uint32_t row, const std::vector<claimed_item>& items,
                     const std::vector<claimed_item>* replaced) {
  const host_row& known = call.host->row(row);
  const auto held_in = [](const std::map<std::string, double>& claims, const std::string& resource) {
    const auto found = claims.find(resource);
    return found == claims.end() ? 0.0 : found->second;
  };
  return std::all_of(items.begin(), items.end(), [&](const claimed_item& item) {
    if (std::isnan(item.limit)) return true;
    double total = held_in(known.claims, item.resource) + held_in(call.held[row], item.resource);
    if (replaced != nullptr) total -= amount_in(*replaced, item.resource);
    if (item.resource == "vcpu") total += known.vcpus_used.value_or(0);
    if (item.resource == "memory_mb") total += known.memory_mb_used.value_or(0);
    if (item.resource == "disk_gb") total += known.local_gb_used.value_or(0);
    return total + amount_in(items, item.resource) <= item.limit;
  });
}

// Returns true if the rule of the request's group admits the pick. A request that claims nothing is not bound by it.
inline bool follows_group(const fake_call& call, const picked& pick) {
  const fake_request& request = *call.request;
  if (!request.group || uuid_of(request, pick.instance).empty()) return true;
  std::uint32_t here = 0;
  std::uint32_t elsewhere = 0;
  const auto add = [&](std::uint32_t row) { ++(call.host->row(row).host == pick.host ? here : elsewhere); };
  for (const std::uint32_t row : request.group->member_rows) add(row);
  const std::vector<std::string>& members = request.group->members;
  for (const picked& other : call.result.picks) {
    const std::string uuid = uuid_of(request, other.instance);
    if (std::find(members.begin(), members.end(), uuid) != members.end()) add(other.row);
  }
  if (pick.group_limit != 0 && here >= pick.group_limit) return false;
  return !pick.together || here != 0 || elsewhere == 0;
}

// Records the items as claimed by this call.
inline void hold(fake_call& call, std::uint32_t row, const std::vector<claimed_item>& items) {
  for (const claimed_item& item : items) call.held[row][item.resource] += item.amount;
}

// Adds the claims of a call that succeeded to the rows that the next call sees. `claims_picks`: the operation claims
// its picks even if the request has no uuids, as schedule_run_instance does.
inline void keep_claims(fake_state& host, const outcome& outcome, const fake_request& request, bool claims_picks) {
  if (outcome.picks.empty() && outcome.claims.empty()) return;
  std::vector<host_row>& rows = host.rows();
  for (const picked& pick : outcome.picks) {
    const std::string uuid = uuid_of(request, pick.instance);
    if (uuid.empty() && !claims_picks) continue;
    host_row& row = rows[pick.row];
    if (const auto* replaced = replaced_by(host, row, uuid)) {
      for (const claimed_item& item : *replaced) row.claims[item.resource] -= item.amount;
    }
    const std::vector<claimed_item> items = claims_of(request, pick);
    for (const claimed_item& item : items) row.claims[item.resource] += item.amount;
    if (!uuid.empty()) host.hold_by_pick({uuid, row.host, row.node}, items);
  }
  for (const claimed& claim : outcome.claims) rows[claim.row].claims[claim.resource] += claim.amount;
}

}  // namespace gantry::testing::services
