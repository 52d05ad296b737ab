// SPDX-License-Identifier: Apache-2.0
//
// The fake host's table of services: each function does what driver.h says of it, on a fake_call or a fake_state.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/text.hpp>
#include <gantry/testing/fake_call.hpp>
#include <gantry/testing/fake_state.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace gantry::testing::services {

struct host_table : gantry_host {
  fake_state* self = nullptr;
};

inline fake_state& of(const gantry_host* host) {
  return *static_cast<const host_table*>(host)->self;
}
inline std::string owned(gantry_string string) {
  return std::string(text(string));
}

inline gantry_code misuse(fake_call& call, std::string what) {
  call.result.misuse.push_back(std::move(what));
  return GANTRY_INVALID_ARGUMENT;
}

// Whether a row of the call's view is meant. What is not is noted as misuse.
inline bool knows_row(fake_call& call, std::uint32_t row, const char* function) {
  if (call.view != nullptr && row < call.view->raw().rows) return true;
  misuse(call, std::string(function) + ": expected a row below " +
                   std::to_string(call.view == nullptr ? 0 : call.view->raw().rows) + ", found " + std::to_string(row));
  return false;
}

inline void log(const gantry_host* host, const gantry_call* call, std::int32_t level, gantry_string message) {
  if (call == nullptr) return of(host).logs.push_back({level, owned(message)});
  fake_call::of(const_cast<gantry_call*>(call)).result.logs.push_back({level, owned(message)});
}

inline std::int32_t log_enabled(const gantry_host* host, std::int32_t level) {
  return level >= of(host).log_level;
}

inline void count(const gantry_host* host, gantry_string counter, std::uint64_t amount) {
  of(host).counters[owned(counter)] += amount;
}

inline const void* extension(const gantry_host* host, gantry_string id) {
  const auto found = of(host).extensions.find(owned(id));
  return found == of(host).extensions.end() ? nullptr : found->second;
}

inline gantry_code fail(gantry_call* call, gantry_code code, gantry_string sentence) {
  fake_call::of(call).result.sentence = owned(sentence);
  return code;
}

inline const gantry_context* context(gantry_call* call) {
  return &fake_call::of(call).context;
}
inline std::int32_t should_stop(gantry_call* call) {
  return fake_call::of(call).host->stop ? 1 : 0;
}
inline std::int64_t time_left_ns(gantry_call* call) {
  return fake_call::of(call).host->stop ? 0 : 1'000'000'000;
}
inline std::int64_t now(gantry_call* call) {
  return fake_call::of(call).host->now;
}
inline std::uint64_t random(gantry_call* call) {
  return fake_call::of(call).random.next();
}
inline void* scratch(gantry_call* call, std::uint64_t size, std::uint64_t) {
  return fake_call::of(call).memory.allocate(size);
}

// The fake_view that a gantry_view belongs to: a derived one, or a topic's.
inline const fake_view* fake_of(fake_call& call, const gantry_view* view) {
  for (const auto& derived : call.derived) {
    if (&derived->raw() == view) return derived.get();
  }
  return call.host->view(owned(view->topic));
}

inline const gantry_column* column(gantry_call* call, const gantry_view* view, gantry_string name) {
  return fake_of(fake_call::of(call), view)->find(text(name));
}

inline const gantry_view* view(gantry_call* call, gantry_string topic) {
  const fake_view* found = fake_call::of(call).host->view(owned(topic));
  return found == nullptr ? nullptr : &found->raw();
}

inline gantry_code locate(gantry_call* raw_call, gantry_string instance_uuid, gantry_location* out) {
  fake_call& call = fake_call::of(raw_call);
  const auto found = call.host->instances.find(owned(instance_uuid));
  if (found == call.host->instances.end()) return GANTRY_NO_VALID_HOST;
  const auto& [host, zone] = found->second;
  *out = {call.memory.copy(host), {}, call.memory.copy(zone), UINT32_MAX, 0};
  return GANTRY_OK;
}

inline const gantry_view* derive(gantry_call* raw_call, const gantry_view* origin) {
  fake_call& call = fake_call::of(raw_call);
  call.derived.push_back(std::make_unique<fake_view>(*origin));
  return &call.derived.back()->raw();
}

inline gantry_code write(gantry_call* raw_call, const gantry_view* view, gantry_string name, gantry_writable* out) {
  fake_call& call = fake_call::of(raw_call);
  for (const auto& derived : call.derived) {
    if (&derived->raw() != view) continue;
    const auto writable = derived->write(text(name));
    if (!writable) return misuse(call, "write: no column '" + owned(name) + "'");
    *out = *writable;
    return GANTRY_OK;
  }
  return misuse(call, "write: expected a derived view");
}

inline picked described(const fake_call& call, const gantry_pick& pick) {
  const host_row& row = call.host->row(pick.row);
  return {pick.instance,
          pick.row,
          row.host,
          row.node,
          pick.weight,
          pick.limits.vcpu,
          pick.limits.memory_mb,
          pick.limits.disk_gb,
          owned(pick.limits.other)};
}

// Reported use, earlier claims, the picks that this call has made on the row and the amount, against the limit.
inline bool has_room(const fake_call& call, const picked& pick) {
  const auto claims_of = [&](const host_row& row, const char* resource) {
    const auto found = row.claims.find(resource);
    return found == row.claims.end() ? 0.0 : found->second;
  };
  const host_row& row = call.host->row(pick.row);
  const auto earlier = call.picks_on_row.find(pick.row);
  const double times = 1.0 + (earlier == call.picks_on_row.end() ? 0 : earlier->second);
  const auto fits = [&](double limit, const std::optional<double>& used, const char* resource, double amount) {
    return std::isnan(limit) || used.value_or(0) + claims_of(row, resource) + times * amount <= limit;
  };
  return fits(pick.limit_vcpu, row.vcpus_used, "vcpu", static_cast<double>(call.request->vcpus.value_or(0))) &&
         fits(pick.limit_memory_mb, row.memory_mb_used, "memory_mb",
              static_cast<double>(call.request->memory_mb.value_or(0))) &&
         fits(pick.limit_disk_gb, row.local_gb_used, "disk_gb", call.request->disk_gb);
}

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
  return knows_row(call, pick.row, function);
}

inline gantry_code pick(gantry_call* raw_call, const gantry_pick* raw_pick) {
  fake_call& call = fake_call::of(raw_call);
  if (!may_choose(call, *raw_pick, "pick")) return GANTRY_INVALID_ARGUMENT;
  picked pick = described(call, *raw_pick);
  const bool admitted = call.host->admits == nullptr || call.host->admits(pick);
  const bool holds = admitted && has_room(call, pick);
  if (holds) ++call.picks_on_row[pick.row];
  (holds ? call.result.picks : call.result.lost).push_back(std::move(pick));
  return holds ? GANTRY_OK : GANTRY_CLAIM_LOST;
}

inline gantry_code alternate(gantry_call* raw_call, const gantry_pick* raw_pick) {
  fake_call& call = fake_call::of(raw_call);
  if (!may_choose(call, *raw_pick, "alternate")) return GANTRY_INVALID_ARGUMENT;
  call.result.alternates.push_back(described(call, *raw_pick));
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

inline gantry_code claim(gantry_call* raw_call, const gantry_claim* claim) {
  fake_call& call = fake_call::of(raw_call);
  if (!knows_row(call, claim->row, "claim")) return GANTRY_INVALID_ARGUMENT;
  const host_row& row = call.host->row(claim->row);
  std::vector<claimed> items;
  for (std::uint64_t index = 0; index < claim->item_count; ++index) {
    const gantry_claim_item& item = claim->items[index];
    const auto before = row.claims.find(owned(item.resource));
    const double taken = before == row.claims.end() ? 0 : before->second;
    if (!std::isnan(item.limit) && taken + item.amount > item.limit) return GANTRY_CLAIM_LOST;
    items.push_back({claim->row, row.host, owned(claim->consumer), owned(item.resource), item.amount, item.limit});
  }
  call.result.claims.insert(call.result.claims.end(), items.begin(), items.end());
  return GANTRY_OK;
}

inline gantry_code reply(gantry_call* raw_call, gantry_string json) {
  fake_call& call = fake_call::of(raw_call);
  if (!call.result.replies.empty()) return misuse(call, "reply: expected once, found a second one");
  call.result.replies.push_back(owned(json));
  return GANTRY_OK;
}

inline gantry_code cast(gantry_call* raw_call, std::uint32_t row, gantry_string method, gantry_string args) {
  fake_call& call = fake_call::of(raw_call);
  if (!knows_row(call, row, "cast")) return GANTRY_INVALID_ARGUMENT;
  call.result.casts.push_back({row, call.host->row(row).host, owned(method), owned(args)});
  return GANTRY_OK;
}

inline host_table table(fake_state& self) {
  host_table table;
  static_cast<gantry_host&>(table) = {sizeof(gantry_host),
                                      GANTRY_ABI_MAJOR,
                                      GANTRY_ABI_MINOR,
                                      raw("fake_host"),
                                      raw("0"),
                                      log,
                                      log_enabled,
                                      count,
                                      extension,
                                      fail,
                                      context,
                                      should_stop,
                                      time_left_ns,
                                      now,
                                      random,
                                      scratch,
                                      column,
                                      view,
                                      locate,
                                      derive,
                                      write,
                                      pick,
                                      alternate,
                                      refuse,
                                      explain,
                                      claim,
                                      reply,
                                      cast};
  table.self = &self;
  return table;
}

}  // namespace gantry::testing::services
