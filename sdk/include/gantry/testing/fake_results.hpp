// SPDX-License-Identifier: Apache-2.0
//
// The services of the fake host that take a driver's results, such as picks and claims. Picks and claims succeed or
// fail as in the real host. A result that breaks the ABI's rules is noted in outcome::misuse.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/text.hpp>
#include <gantry/testing/fake_call.hpp>
#include <gantry/testing/fake_state.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gantry::testing::services {

inline std::string owned(gantry_string string) {
  return std::string(text(string));
}

// Notes a misuse and returns the code that the driver gets.
inline gantry_code misuse(fake_call& call, std::string what) {
  call.result.misuse.push_back(std::move(what));
  return GANTRY_INVALID_ARGUMENT;
}

// Returns true if the row exists in the call's view. Otherwise notes a misuse.
inline bool knows_row(fake_call& call, std::uint32_t row, const char* function) {
  if (call.view != nullptr && row < call.view->raw().rows) return true;
  misuse(call, std::string(function) + ": expected a row below " +
                   std::to_string(call.view == nullptr ? 0 : call.view->raw().rows) + ", found " + std::to_string(row));
  return false;
}

// Returns NaN if the bit is not in `present`.
inline double if_present(std::uint32_t present, std::uint32_t bit, double number) {
  return (present & bit) != 0 ? number : std::numeric_limits<double>::quiet_NaN();
}

// Reads the items of a pick or claim into `items`. Returns false and notes a misuse if an item is invalid.
template <class Holder>
bool read_items(fake_call& call, const Holder& holder, const char* function, std::vector<claimed_item>& items) {
  const char* at = reinterpret_cast<const char*>(holder.items);
  for (std::uint32_t index = 0; index < holder.item_count; ++index, at += holder.item_stride) {
    const gantry_claim_item& item = *reinterpret_cast<const gantry_claim_item*>(at);
    if (holder.item_stride < sizeof(gantry_claim_item) || item.resource.size == 0 || !std::isfinite(item.amount) ||
        item.amount < 0 || (item.present & ~std::uint32_t{GANTRY_CLAIM_LIMIT}) != 0 || item.reserved0 != 0) {
      misuse(call, std::string(function) + ": an item without resource or amount, or with bits that mean nothing");
      return false;
    }
    items.push_back({owned(item.resource), item.amount, if_present(item.present, GANTRY_CLAIM_LIMIT, item.limit)});
  }
  return true;
}

inline picked described(const fake_call& call, const gantry_pick& pick, std::vector<claimed_item> items) {
  const host_row& row = call.host->row(pick.row);
  return {pick.instance,
          pick.row,
          row.host,
          row.node,
          if_present(pick.present, GANTRY_PICK_WEIGHT, pick.weight),
          if_present(pick.present, GANTRY_LIMIT_VCPU, pick.limits.vcpu),
          if_present(pick.present, GANTRY_LIMIT_MEMORY_MB, pick.limits.memory_mb),
          if_present(pick.present, GANTRY_LIMIT_DISK_GB, pick.limits.disk_gb),
          owned(pick.limits.other),
          std::move(items),
          (pick.present & GANTRY_PICK_APART) != 0 ? pick.group_limit : 0,
          (pick.present & GANTRY_PICK_TOGETHER) != 0};
}

// Returns all resources that a pick claims: the instance's own and the pick's items.
inline std::vector<claimed_item> claims_of(const fake_call& call, const picked& pick) {
  std::vector<claimed_item> items = pick.items;
  items.push_back({"vcpu", static_cast<double>(call.request->vcpus.value_or(0)), pick.limit_vcpu});
  items.push_back({"memory_mb", static_cast<double>(call.request->memory_mb.value_or(0)), pick.limit_memory_mb});
  items.push_back({"disk_gb", call.request->disk_gb, pick.limit_disk_gb});
  return items;
}

// Returns true if the new items fit on the row: for each item with a limit, the sum of reported use, earlier claims,
// the claims of this call and the new amounts is at most the limit.
inline bool has_room(fake_call& call, std::uint32_t row, const std::vector<claimed_item>& items) {
  const host_row& known = call.host->row(row);
  const auto amount_in = [](const std::map<std::string, double>& claims, const std::string& resource) {
    const auto found = claims.find(resource);
    return found == claims.end() ? 0.0 : found->second;
  };
  for (const claimed_item& item : items) {
    if (std::isnan(item.limit)) continue;
    double total = amount_in(known.claims, item.resource) + amount_in(call.held[row], item.resource);
    if (item.resource == "vcpu") total += known.vcpus_used.value_or(0);
    if (item.resource == "memory_mb") total += known.memory_mb_used.value_or(0);
    if (item.resource == "disk_gb") total += known.local_gb_used.value_or(0);
    for (const claimed_item& other : items) total += other.resource == item.resource ? other.amount : 0;
    if (total > item.limit) return false;
  }
  return true;
}
// Records the items as claimed by this call.
inline void hold(fake_call& call, std::uint32_t row, const std::vector<claimed_item>& items) {
  for (const claimed_item& item : items) call.held[row][item.resource] += item.amount;
}

// Returns true if the pick or alternate is valid. Otherwise notes a misuse.
inline bool may_choose(fake_call& call, const gantry_pick& pick, const char* function) {
  if (call.request == nullptr) {
    misuse(call, std::string(function) + ": expected only while a request is decided");
    return false;
  }
  if (pick.instance >= call.request->instances) {
    misuse(call, std::string(function) + ": expected an instance below " + std::to_string(call.request->instances) +
                     ", found " + std::to_string(pick.instance));
    return false;
  }
  constexpr std::uint32_t known = GANTRY_LIMIT_VCPU | GANTRY_LIMIT_MEMORY_MB | GANTRY_LIMIT_DISK_GB |
                                  GANTRY_PICK_WEIGHT | GANTRY_PICK_APART | GANTRY_PICK_TOGETHER;
  if ((pick.present & ~known) != 0 || pick.struct_size < sizeof(gantry_pick)) {
    misuse(call, std::string(function) + ": expected struct_size to be set and known bits in present");
    return false;
  }
  return knows_row(call, pick.row, function);
}

inline gantry_code pick(gantry_call* raw_call, const gantry_pick* raw_pick) {
  fake_call& call = fake_call::of(raw_call);
  std::vector<claimed_item> items;
  if (!may_choose(call, *raw_pick, "pick") || !read_items(call, *raw_pick, "pick", items)) {
    return GANTRY_INVALID_ARGUMENT;
  }
  for (const claimed_item& item : items) {
    if (item.resource != "vcpu" && item.resource != "memory_mb" && item.resource != "disk_gb" &&
        item.resource != "instances") {
      continue;
    }
    return misuse(call, "pick: expected items beside what the pick itself claims, found " + item.resource);
  }
  picked pick = described(call, *raw_pick, std::move(items));
  const std::vector<claimed_item> claims = claims_of(call, pick);
  const bool admitted = call.host->admits == nullptr || call.host->admits(pick);
  const bool holds = admitted && has_room(call, pick.row, claims);
  if (holds) hold(call, pick.row, claims);
  (holds ? call.result.picks : call.result.lost).push_back(std::move(pick));
  return holds ? GANTRY_OK : GANTRY_CLAIM_LOST;
}

inline gantry_code alternate(gantry_call* raw_call, const gantry_pick* raw_pick) {
  fake_call& call = fake_call::of(raw_call);
  if (!may_choose(call, *raw_pick, "alternate")) return GANTRY_INVALID_ARGUMENT;
  call.result.alternates.push_back(described(call, *raw_pick, {}));
  return GANTRY_OK;
}

inline gantry_code refuse(gantry_call* raw_call, std::uint32_t instance, gantry_string reason) {
  fake_call& call = fake_call::of(raw_call);
  if (call.request == nullptr || instance >= call.request->instances) {
    return misuse(call, "refuse: no instance " + std::to_string(instance));
  }
  call.result.refusals.push_back({instance, owned(reason)});
  return GANTRY_OK;
}

inline void explain(gantry_call* call, const gantry_step* step) {
  fake_call::of(call).result.steps.push_back(
      {owned(step->name), step->hosts_in, step->hosts_out, owned(step->reason), step->instance});
}

// Calls `read` for the elements of a list in a host explanation, up to the first for which `read` returns false.
// Returns false if there is such an element or if the list is invalid.
template <class Element, class Read>
bool read_each(const Element* items, std::uint32_t count, std::uint32_t stride, const Read& read) {
  const char* at = reinterpret_cast<const char*>(items);
  if (count != 0 && (at == nullptr || stride < sizeof(Element))) return false;
  for (std::uint32_t index = 0; index < count; ++index, at += stride) {
    if (!read(*reinterpret_cast<const Element*>(at))) return false;
  }
  return true;
}

inline gantry_code explain_host(gantry_call* raw_call, const gantry_host_explanation* explanation) {
  fake_call& call = fake_call::of(raw_call);
  if (call.request == nullptr || explanation->instance >= call.request->instances) {
    return misuse(call, "explain_host: no instance " + std::to_string(explanation->instance));
  }
  if (!knows_row(call, explanation->row, "explain_host")) return GANTRY_INVALID_ARGUMENT;
  explained_host told;
  told.instance = explanation->instance;
  told.row = explanation->row;
  told.host = call.host->row(explanation->row).host;
  if ((explanation->present & GANTRY_EXPLANATION_WEIGHT) != 0) told.weight = explanation->weight;
  if ((explanation->present & GANTRY_EXPLANATION_RANK) != 0) told.rank = explanation->rank;
  const bool all_read =
      read_each(explanation->verdicts, explanation->verdict_count, explanation->verdict_stride,
                [&told](const gantry_verdict& verdict) {
                  told.verdicts.push_back({owned(verdict.name), verdict.passed == 1, owned(verdict.reason)});
                  return verdict.name.size != 0 && verdict.passed <= 1 && verdict.reserved0 == 0;
                }) &&
      read_each(explanation->terms, explanation->term_count, explanation->term_stride,
                [&told](const gantry_term& term) {
                  told.terms.push_back({owned(term.name), term.raw, term.normalized, term.multiplier});
                  return term.name.size != 0;
                });
  if (!all_read || explanation->struct_size < sizeof(gantry_host_explanation) || (explanation->present & ~3u) != 0) {
    return misuse(call, "explain_host: expected struct_size, strides and names to be set, and known values alone");
  }
  for (const explained_host& other : call.result.host_explanations) {
    if (other.instance == told.instance && other.row == told.row) {
      return misuse(call, "explain_host: a second one of row " + std::to_string(told.row) + " for an instance");
    }
  }
  if (call.request->explain_hosts != GANTRY_EXPLAIN_NONE) call.result.host_explanations.push_back(std::move(told));
  return GANTRY_OK;
}

inline gantry_code claim(gantry_call* raw_call, const gantry_claim* claim) {
  fake_call& call = fake_call::of(raw_call);
  std::vector<claimed_item> items;
  if (!knows_row(call, claim->row, "claim") || !read_items(call, *claim, "claim", items)) {
    return GANTRY_INVALID_ARGUMENT;
  }
  if (items.empty()) return misuse(call, "claim: expected 1 to 1024 items, found none");
  if (!has_room(call, claim->row, items)) return GANTRY_CLAIM_LOST;
  hold(call, claim->row, items);
  for (const claimed_item& item : items) {
    call.result.claims.push_back(
        {claim->row, call.host->row(claim->row).host, owned(claim->consumer), item.resource, item.amount, item.limit});
  }
  return GANTRY_OK;
}

inline gantry_code reply(gantry_call* raw_call, gantry_string json) {
  fake_call& call = fake_call::of(raw_call);
  if (!call.result.replies.empty()) return misuse(call, "reply: expected once, found a second one");
  call.result.replies.push_back(owned(json));
  return GANTRY_OK;
}

inline gantry_code cast(gantry_call* raw_call, const gantry_cast* cast) {
  fake_call& call = fake_call::of(raw_call);
  if (!knows_row(call, cast->row, "cast")) return GANTRY_INVALID_ARGUMENT;
  bool is_claimed = cast->consumer.size == 0;
  for (const claimed& claim : call.result.claims) is_claimed = is_claimed || claim.consumer == text(cast->consumer);
  if (!is_claimed) return misuse(call, "cast: this call claimed nothing for '" + owned(cast->consumer) + "'");
  call.result.casts.push_back(
      {cast->row, call.host->row(cast->row).host, owned(cast->consumer), owned(cast->method), owned(cast->args)});
  return GANTRY_OK;
}

}  // namespace gantry::testing::services
