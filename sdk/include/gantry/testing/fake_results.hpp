// SPDX-License-Identifier: Apache-2.0
//
// The services of the fake host that take a driver's results, such as picks and claims. Picks and claims succeed or
// fail as in the real host. A result that breaks the ABI's rules is noted in outcome::misuse.
#pragma once

#include <gantry/driver.h>
#include <gantry/ext/ask.h>
#include <gantry/driver/allocation_candidates.hpp>
#include <gantry/driver/growth.hpp>
#include <gantry/driver/text.hpp>
#include <gantry/testing/fake_call.hpp>
#include <gantry/testing/fake_checks.hpp>
#include <gantry/testing/fake_claims.hpp>
#include <gantry/testing/fake_state.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gantry::testing::services {

// Returns the candidates of the request, numbered as the driver has them. nullptr if it has none.
inline const gantry_candidates* candidates_of(fake_call& call) {
  if (call.candidates == nullptr && call.request != nullptr && call.request->candidates)
    call.candidates = call.request->candidates->raw(call.memory, call.view->raw().rows);
  return call.candidates;
}

inline const gantry_candidates* candidates_of_call(gantry_call* call) {
  return candidates_of(fake_call::of(call));
}

inline gantry_code choose(gantry_call* raw_call, std::uint32_t instance, std::uint32_t row,
                          const std::uint32_t* providers, std::uint32_t count) {
  fake_call& call = fake_call::of(raw_call);
  const gantry_candidates* offered = candidates_of(call);
  if (!require(call, offered != nullptr, "choose: expected a request with candidates") ||
      !require(call, providers != nullptr && count == offered->group_count,
               "choose: expected a provider for each group")) {
    return GANTRY_INVALID_ARGUMENT;
  }
  call.choice.assign(providers, providers + count);
  call.chosen_instance = instance;
  call.chosen_row = row;
  return GANTRY_OK;
}

// Returns what the driver has chosen, if it is for this pick or alternate. Forgets the choice.
inline std::vector<std::uint32_t> take_choice(fake_call& call, const gantry_pick& pick) {
  std::vector<std::uint32_t> chosen = std::exchange(call.choice, {});
  if (call.chosen_instance != pick.instance || call.chosen_row != pick.row) chosen.clear();
  return chosen;
}

inline std::vector<std::string> names_of(fake_call& call, const std::vector<std::uint32_t>& providers) {
  std::vector<std::string> names;
  names.reserve(providers.size());
  for (const std::uint32_t provider : providers) names.push_back(owned(candidates_of(call)->providers[provider]));
  return names;
}

inline picked described(fake_call& call, const gantry_pick& pick, const std::vector<std::uint32_t>& providers,
                        std::vector<claimed_item> items) {
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
          (pick.present & GANTRY_PICK_TOGETHER) != 0,
          names_of(call, providers)};
}

// Returns true if the candidate is left open or is one of the row's.
inline bool has_valid_providers(fake_call& call, const gantry_pick& pick, const std::vector<std::uint32_t>& providers,
                                const char* function) {
  if (providers.empty()) return true;
  return require(
      call,
      gantry::allocation_candidates(*candidates_of(call)).contains(pick.row, {providers.data(), providers.size()}),
      std::string(function) + ": expected the providers of a candidate of the row");
}

// Returns true if the pick or alternate is valid. Otherwise notes a misuse.
inline bool may_choose(fake_call& call, const gantry_pick& pick, const std::vector<std::uint32_t>& providers,
                       const char* function) {
  return is_whole(call, pick, pick.struct_size, std::string(function) + ", struct_size") &&
         knows_instance(call, pick.instance, function) && knows_row(call, pick.row, function) &&
         has_valid_limits(call, pick, function) && has_valid_providers(call, pick, providers, function);
}

inline gantry_code pick(gantry_call* raw_call, const gantry_pick* raw_pick) {
  fake_call& call = fake_call::of(raw_call);
  std::vector<claimed_item> items;
  const std::vector<std::uint32_t> providers = take_choice(call, *raw_pick);
  if (!may_choose(call, *raw_pick, providers, "pick") || !read_items(call, *raw_pick, 0, "pick", items) ||
      !are_further_items(call, items)) {
    return GANTRY_INVALID_ARGUMENT;
  }
  const std::string instance = std::to_string(raw_pick->instance);
  if (is_picked(call, raw_pick->instance)) return misuse(call, "pick: a second one for instance " + instance);
  if (is_refused(call, raw_pick->instance)) return misuse(call, "pick: the driver refused instance " + instance);
  picked pick = described(call, *raw_pick, providers, std::move(items));
  const std::vector<claimed_item> claims = claims_of(*call.request, pick);
  const auto* replaced = replaced_by(*call.host, call.host->row(pick.row), uuid_of(*call.request, pick.instance));
  const bool admitted =
      call.request->admits(pick.instance, pick.row) && (call.host->admits == nullptr || call.host->admits(pick));
  const bool holds = admitted && has_room(call, pick.row, claims, replaced) && follows_group(call, pick);
  if (holds) {
    hold(call, pick.row, claims);
    call.settled.emplace(pick.instance, true);
  }
  (holds ? call.result.picks : call.result.lost).push_back(std::move(pick));
  return holds ? GANTRY_OK : GANTRY_CLAIM_LOST;
}

inline gantry_code alternate(gantry_call* raw_call, const gantry_pick* raw_pick) {
  fake_call& call = fake_call::of(raw_call);
  std::vector<claimed_item> items;
  const std::vector<std::uint32_t> providers = take_choice(call, *raw_pick);
  if (!may_choose(call, *raw_pick, providers, "alternate") || !read_items(call, *raw_pick, 0, "alternate", items)) {
    return GANTRY_INVALID_ARGUMENT;
  }
  if (!call.request->admits(raw_pick->instance, raw_pick->row)) return GANTRY_CLAIM_LOST;
  call.result.alternates.push_back(described(call, *raw_pick, providers, {}));
  return GANTRY_OK;
}

inline gantry_code refuse(gantry_call* raw_call, std::uint32_t instance, gantry_string reason) {
  fake_call& call = fake_call::of(raw_call);
  if (!knows_instance(call, instance, "refuse")) return GANTRY_INVALID_ARGUMENT;
  if (is_picked(call, instance)) return misuse(call, "refuse: instance " + std::to_string(instance) + " is picked");
  if (is_refused(call, instance)) return misuse(call, "refuse: a second time instance " + std::to_string(instance));
  call.result.refusals.push_back({instance, owned(reason)});
  call.settled.emplace(instance, false);
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
  if (count != 0 && (at == nullptr || stride < first_size<Element>)) return false;
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
  if (!all_read || explanation->struct_size < first_size<gantry_host_explanation> ||
      (explanation->present & ~3u) != 0) {
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
  if (!takes(call, call.is_method, "claim") || !knows_row(call, claim->row, "claim") ||
      !is_whole(call, *claim, claim->struct_size, "claim, struct_size") ||
      !is_name(call, claim->consumer, "claim, consumer") || !read_items(call, *claim, 1, "claim", items)) {
    return GANTRY_INVALID_ARGUMENT;
  }
  call.claim_items += items.size();
  if (call.claim_items > GANTRY_MOST_CALL_ITEMS) {
    return misuse(call, "claim: expected at most " + std::to_string(GANTRY_MOST_CALL_ITEMS) + " items in all claims");
  }
  if (!has_room(call, claim->row, items, nullptr)) return GANTRY_CLAIM_LOST;
  hold(call, claim->row, items);
  for (const claimed_item& item : items) {
    call.result.claims.push_back(
        {claim->row, call.host->row(claim->row).host, owned(claim->consumer), item.resource, item.amount, item.limit});
  }
  return GANTRY_OK;
}

inline gantry_code reply(gantry_call* raw_call, gantry_string json) {
  fake_call& call = fake_call::of(raw_call);
  if (!takes(call, call.is_method || call.takes_capabilities, "reply") ||
      !is_json(call, json, call.takes_capabilities, GANTRY_MOST_JSON_BYTES, "reply")) {
    return GANTRY_INVALID_ARGUMENT;
  }
  if (!call.result.replies.empty()) return misuse(call, "reply: expected once, found a second one");
  call.result.replies.push_back(owned(json));
  return GANTRY_OK;
}

inline gantry_code cast(gantry_call* raw_call, const gantry_cast* cast) {
  fake_call& call = fake_call::of(raw_call);
  if (!takes(call, call.is_method, "cast") || !knows_row(call, cast->row, "cast") ||
      !is_whole(call, *cast, cast->struct_size, "cast, struct_size") ||
      (cast->consumer.size != 0 && !is_name(call, cast->consumer, "cast, consumer")) ||
      !is_name(call, cast->method, "cast, method")) {
    return GANTRY_INVALID_ARGUMENT;
  }
  call.cast_bytes += cast->args.size;
  if (!require(call, call.result.casts.size() < GANTRY_MOST_CASTS,
               "cast: expected at most " + std::to_string(GANTRY_MOST_CASTS) + " in a call") ||
      !require(call, call.cast_bytes <= GANTRY_MOST_JSON_BYTES,
               "cast: expected at most " + std::to_string(GANTRY_MOST_JSON_BYTES) + " bytes of args in a call") ||
      !is_json(call, cast->args, true, GANTRY_MOST_JSON_BYTES, "cast, args")) {
    return GANTRY_INVALID_ARGUMENT;
  }
  bool is_claimed = cast->consumer.size == 0;
  for (const claimed& claim : call.result.claims) is_claimed = is_claimed || claim.consumer == text(cast->consumer);
  if (!is_claimed) return misuse(call, "cast: this call claimed nothing for '" + owned(cast->consumer) + "'");
  call.result.casts.push_back(
      {cast->row, call.host->row(cast->row).host, owned(cast->consumer), owned(cast->method), owned(cast->args)});
  return GANTRY_OK;
}

// Answers from fake_state::answers.
inline gantry_code ask(gantry_call* raw_call, gantry_string name, gantry_string json, gantry_answer* out) {
  fake_call& call = fake_call::of(raw_call);
  if (out->struct_size < GANTRY_END_OF(gantry_answer, body)) {
    return misuse(call, "ask: expected struct_size to be set");
  }
  const auto answer = [out](gantry_code code, std::int32_t status, std::string_view body) {
    fill_in(*out, {0, status, gantry::raw(body)});
    return code;
  };
  if (!is_json(call, json, false, GANTRY_MOST_ASK_BYTES, "ask, json")) {
    return answer(GANTRY_INVALID_ARGUMENT, 0, "the question is not JSON");
  }
  if (++call.asks > GANTRY_MOST_ASKS) return answer(GANTRY_RESOURCE_EXHAUSTED, 0, "too many questions in a call");
  const auto found = call.host->answers.find(owned(name));
  if (found == call.host->answers.end()) return answer(GANTRY_INVALID_ARGUMENT, 0, "no such policy service");
  if (found->second.empty()) return answer(GANTRY_UNSUPPORTED, 0, "the policy service is away");
  return answer(GANTRY_OK, 200, found->second);
}

inline constexpr gantry_ask_services ask_table = {sizeof(gantry_ask_services), 0, ask};

inline constexpr gantry_candidate_services candidates_table = {sizeof(gantry_candidate_services), 0, candidates_of_call,
                                                               choose};
inline constexpr gantry_explain explain_table = {sizeof(gantry_explain), 0, explain_host};

}  // namespace gantry::testing::services
