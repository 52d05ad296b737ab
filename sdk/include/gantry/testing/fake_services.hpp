// SPDX-License-Identifier: Apache-2.0
//
// The fake host's table of services. Each function implements the service of the same name in driver.h.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/text.hpp>
#include <gantry/testing/fake_call.hpp>
#include <gantry/testing/fake_results.hpp>
#include <gantry/testing/fake_state.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace gantry::testing::services {

// A gantry_host with a pointer to the state of the fake host that it belongs to.
struct host_table : gantry_host {
  fake_state* self = nullptr;
};

inline fake_state& of(const gantry_host* host) {
  return *static_cast<const host_table*>(host)->self;
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
  if (found != of(host).extensions.end()) return found->second;
  if (text(id) == GANTRY_ASK_EXTENSION) return &ask_table;
  if (text(id) == GANTRY_CANDIDATES_EXTENSION) return &candidates_table;
  return text(id) == GANTRY_EXPLAIN_EXTENSION ? &explain_table : nullptr;
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
inline void* scratch(gantry_call* call, std::uint64_t size, std::uint64_t align) {
  return fake_call::of(call).memory.scratch(size, align);
}

// Returns the fake view behind a derived gantry_view. nullptr if `view` is the view of a topic.
inline fake_view* derived_of(fake_call& call, const gantry_view* view) {
  for (const auto& derived : call.derived) {
    if (&derived->raw() == view) return derived.get();
  }
  return nullptr;
}
// Returns the fake view behind any gantry_view.
inline fake_view& fake_of(fake_call& call, const gantry_view* view) {
  fake_view* derived = derived_of(call, view);
  return derived != nullptr ? *derived : *call.host->view(owned(view->topic));
}

inline const gantry_column* column(gantry_call* raw_call, const gantry_view* view, gantry_string name) {
  fake_view& found = fake_of(fake_call::of(raw_call), view);
  if (const gantry_column* column = found.find(text(name))) return column;
  if (text(name).substr(0, 7) != "claims.") return nullptr;
  const gantry_column* zeros = found.find_zeros(text(name));
  return zeros != nullptr ? zeros : &found.add_zeros(text(name));
}

inline const gantry_view* view(gantry_call* call, gantry_string topic) {
  const fake_view* found = fake_call::of(call).host->view(owned(topic));
  return found == nullptr ? nullptr : &found->raw();
}

inline gantry_code locate(gantry_call* raw_call, gantry_string instance_uuid, gantry_location* out) {
  fake_call& call = fake_call::of(raw_call);
  if (out->struct_size < first_size<gantry_location>) return misuse(call, "locate: expected struct_size to be set");
  gantry_location location = {};
  location.row = UINT32_MAX;
  fill_in(*out, location);
  const auto found = call.host->instances.find(owned(instance_uuid));
  if (found == call.host->instances.end()) return GANTRY_NO_VALID_HOST;
  const fake_instance& instance = found->second;
  location.host = call.memory.copy(instance.host);
  location.node = call.memory.copy(instance.node);
  location.availability_zone = call.memory.copy(instance.availability_zone);
  location.flavor = call.memory.copy(instance.flavor);
  location.project_id = call.memory.copy(instance.project_id);
  location.vm_state = call.memory.copy(instance.vm_state);
  location.vcpus = instance.vcpus;
  location.memory_mb = instance.memory_mb;
  location.disk_gb = instance.disk_gb;
  location.row = call.host->row_of("compute", instance.host, instance.node);
  fill_in(*out, location);
  return GANTRY_OK;
}

inline const gantry_view* derive(gantry_call* raw_call, const gantry_view* origin) {
  fake_call& call = fake_call::of(raw_call);
  auto derived = std::make_unique<fake_view>(*origin);
  if (const fake_view* parent = derived_of(call, origin)) derived->copy_owned_of(*parent);
  call.derived.push_back(std::move(derived));
  return &call.derived.back()->raw();
}

inline gantry_code write(gantry_call* raw_call, const gantry_view* view, gantry_string name, gantry_writable* out) {
  fake_call& call = fake_call::of(raw_call);
  if (out->struct_size < first_size<gantry_writable>) return misuse(call, "write: expected struct_size to be set");
  fake_view* derived = derived_of(call, view);
  if (derived == nullptr) return misuse(call, "write: expected a derived view");
  const gantry_column* column = derived->own(text(name));
  if (column == nullptr) return misuse(call, "write: no column '" + owned(name) + "'");
  gantry_writable writable = {};
  writable.values = const_cast<void*>(column->values);
  writable.validity = const_cast<std::uint64_t*>(column->validity);
  fill_in(*out, writable);
  return GANTRY_OK;
}

inline gantry_code append(gantry_call* raw_call, const gantry_view* view, gantry_string name, std::uint32_t row,
                          const void* element) {
  fake_call& call = fake_call::of(raw_call);
  fake_view* derived = derived_of(call, view);
  if (derived == nullptr) return misuse(call, "append: expected a derived view");
  if (row >= view->rows) return misuse(call, "append: expected a row below " + std::to_string(view->rows));
  if (text(name) == "aggregates" && *static_cast<const std::uint32_t*>(element) >= view->aggregate_count) {
    return misuse(call, "append: expected an aggregate below " + std::to_string(view->aggregate_count));
  }
  if (derived->append(text(name), row, element)) return GANTRY_OK;
  return misuse(call, "append: no lists in a column '" + owned(name) + "'");
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
                                      append,
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
