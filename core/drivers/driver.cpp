// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/driver.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/call/call_state.hpp"
#include "core/drivers/call/derived_view.hpp"
#include "core/drivers/call/view_rows.hpp"
#include "core/drivers/default_operations.hpp"
#include "core/drivers/driver_instances.hpp"
#include "core/drivers/driver_state.hpp"
#include "core/drivers/isolated/isolated_driver.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "core/drivers/load/outcome.hpp"
#include "gantry/ext/capacity.h"

namespace gantry::drivers {
namespace {

// noexcept: what leaves a driver in spite of the ABI ends the process here, where the crash report can still name it.
template <class Operation>
gantry_code run_operation(const Operation& operation) noexcept {
  return operation();
}

// The name of the call's request, for people.
std::string_view request_of(const DriverCall& call) {
  const gantry_context* context = call.settings().context;
  return context == nullptr ? std::string_view{} : from_abi(context->request_id);
}

// Enters the driver with the call's own turn, or with one that it waits for here.
Result<std::shared_ptr<Turn>> enter(Turns& turns, const DriverCall& call, std::string_view operation) {
  const auto& settings = call.settings();
  const auto request = request_of(call);
  if (settings.turn != nullptr && turns.enter(*settings.turn, operation, request, settings.deadline))
    return std::shared_ptr<Turn>(std::shared_ptr<void>(), settings.turn);
  auto turn = turns.wait(settings.deadline);
  if (turn) turns.enter(**turn, operation, request, settings.deadline);
  return turn;
}

// The instance that the call began with, or else the one that holds now.
template <class State>
std::shared_ptr<DriverInstance> instance_for(const State& state, const Driver& driver, const DriverCall& call) {
  const auto& instances = call.settings().instances;
  auto* const begun_with = instances == nullptr ? nullptr : instances->of(driver);
  if (begun_with != nullptr) return {instances, begun_with};
  const std::lock_guard lock(state.mutex);
  return state.instance;
}

// Waits while the driver's own process, if it has one, is being started.
template <class State>
Result<void> await_process(const State& state, const Driver& driver, const DriverCall& call) {
  auto* const isolated = instance_for(state, driver, call)->isolated();
  return isolated == nullptr ? Result<void>() : isolated->await_ready(call.settings().deadline);
}

void note_misuse(const HostServices& host, const DriverCall& call, const Error& error) {
  host.counters().add("misuses", host.driver(), 1);
  host.logger().write(
      telemetry::Level::error, "a driver broke the ABI's rules",
      {{"driver", host.driver()}, {"request_id", std::string(request_of(call))}, {"reason", error.message}});
}

std::string_view first_instance_of(const gantry_request& request) {
  const auto& uuids = request.instance_uuids;
  return uuids.count == 0 ? std::string_view{} : from_abi(uuids.items[0]);
}

// One operation: its turn, its note for a crash report, its counters, its outcome.
// `operation` gets the driver's object. `wanted_instance`: the uuid of the first one that the request asks for.
template <class State, class Operation>
Result<void> perform(const Driver& called, State& state, DriverCall& call, std::string_view name,
                     const Operation& operation, std::string_view wanted_instance = {}) {
  const std::string& driver = state.file.manifest.id;
  const RequestNames request{request_of(call), wanted_instance};
  state.calls.fetch_add(1, std::memory_order_relaxed);
  if (const auto refused = state.fatal_requests->refused_name(driver, request); !refused.empty()) {
    state.failures.fetch_add(1, std::memory_order_relaxed);
    return Error{ErrorCode::internal,
                 "driver '" + driver + "': " + refused +
                     " is not tried again, for it has ended the process twice within an hour",
                 {}};
  }
  if (Result<void> ready = await_process(state, called, call); !ready) {
    state.failures.fetch_add(1, std::memory_order_relaxed);
    return ready;
  }
  const auto turn = enter(state.turns, call, name);
  if (!turn) {
    state.failures.fetch_add(1, std::memory_order_relaxed);
    return turn.error();
  }
  const auto instance = instance_for(state, called, call);
  const auto run = [&] {
    const CrashNote note(driver, name, request.id, {}, request.instance);
    return run_operation([&] { return operation(instance->object()); });
  };
  const gantry_code code = run();
  if (DriverCall::State::of(call.handle())->has_ended_process) state.fatal_requests->note(driver, request);
  if (!state.turns.leave(**turn)) {
    state.failures.fetch_add(1, std::memory_order_relaxed);
    return Error{ErrorCode::deadline_exceeded,
                 "driver '" + driver + "', " + std::string(name) + ": returned long after its deadline",
                 {}};
  }
  // A result with a sentence that was given for something else before has none of its own.
  const bool is_result = code == GANTRY_NO_VALID_HOST || code == GANTRY_CLAIM_LOST;
  const bool is_meant = !is_result || call.failure_code() == code;
  const std::string_view misuse = call.misuse();
  Result<void> outcome = misuse.empty()
                             ? outcome_of(code, is_meant ? call.failure_sentence() : std::string_view{}, driver, name)
                             : misuse_of(misuse, driver, name);
  if (!misuse.empty()) note_misuse(instance->host(), call, outcome.error());
  // A refused argument or an unknown wish is the caller's.
  if (!outcome && outcome.error().code != ErrorCode::no_valid_host &&
      outcome.error().code != ErrorCode::invalid_argument && outcome.error().code != ErrorCode::unsupported) {
    state.failures.fetch_add(1, std::memory_order_relaxed);
  }
  return outcome;
}

}  // namespace

Driver::Driver() = default;
Driver::~Driver() = default;

const Manifest& Driver::manifest() const {
  return state_->file.manifest;
}
const DriverFile& Driver::file() const {
  return state_->file;
}
Driver::OnDisk Driver::on_disk() const {
  OnDisk found;
  std::vector<const DriverFile*> files{&file()};
  for (const auto& library : file().offer_libraries) files.push_back(&library);
  for (const DriverFile* loaded : files) {
    FileRules rules;
    rules.check_owner_and_mode = false;
    rules.kind = loaded->kind;
    const auto now = open_driver_file(loaded->path, rules);
    if (now && now->sha256 == loaded->sha256) continue;
    const bool is_there = now || ::access(loaded->path.c_str(), F_OK) == 0;
    (is_there ? found.changed : found.missing).push_back(loaded->path);
  }
  found.options = changed_since(instance()->option_files());
  return found;
}

std::uint64_t Driver::calls() const {
  return state_->calls.load(std::memory_order_relaxed);
}
std::uint64_t Driver::failures() const {
  return state_->failures.load(std::memory_order_relaxed);
}

std::uint64_t Driver::calls_under_way() const {
  return state_->turns.calls_inside();
}

std::shared_ptr<DriverInstance> Driver::instance() const {
  const std::lock_guard lock(state_->mutex);
  return state_->instance;
}

std::optional<isolated::RunnerStatus> Driver::runner_status() const {
  const auto* const isolated = instance()->isolated();
  if (isolated == nullptr) return std::nullopt;
  return isolated->status();
}

Turns& Driver::turns() const {
  return state_->turns;
}

bool Driver::leaves_out(Optional operation) const {
  const auto& ops = state_->ops;
  switch (operation) {
    case Optional::hosts_up: return ops.hosts_up == nullptr;
    case Optional::group_hosts: return ops.group_hosts == nullptr;
    case Optional::update_service_capabilities: return ops.update_service_capabilities == nullptr;
  }
  return false;
}

bool Driver::offers(std::string_view topic, std::string_view method) const {
  const auto& methods = manifest().methods;
  const auto found = methods.find(std::string(topic));
  return found != methods.end() && std::find(found->second.begin(), found->second.end(), method) != found->second.end();
}

Result<void> Driver::select_destinations(DriverCall& call, const gantry_request& request) {
  if (state_->ops.select_destinations == nullptr) return chooses_no_hosts(manifest().id);
  return perform(
      *this, *state_, call, "select_destinations",
      [&](gantry_driver* driver) { return state_->ops.select_destinations(driver, call.handle(), &request); },
      first_instance_of(request));
}

Result<void> Driver::schedule_run_instance(DriverCall& call, const gantry_request& request) {
  if (state_->ops.schedule_run_instance == nullptr) return chooses_no_hosts(manifest().id);
  return perform(
      *this, *state_, call, "schedule_run_instance",
      [&](gantry_driver* driver) { return state_->ops.schedule_run_instance(driver, call.handle(), &request); },
      first_instance_of(request));
}

Result<void> Driver::hosts_up(DriverCall& call, const gantry_view& view, std::uint64_t* rows_out) {
  if (state_->ops.hosts_up == nullptr) {
    default_hosts_up(*DriverCall::State::of(call.handle()), view, rows_out);
    return {};
  }
  Result<void> done = perform(*this, *state_, call, "hosts_up", [&](gantry_driver* driver) {
    return state_->ops.hosts_up(driver, call.handle(), &view, rows_out);
  });
  clear_beyond(rows_out, view.rows);
  return done;
}

Result<void> Driver::group_hosts(DriverCall& call, const gantry_group& group, const gantry_view& view,
                                 std::uint64_t* rows_out) {
  if (state_->ops.group_hosts == nullptr) {
    default_group_hosts(group, view, rows_out);
    return {};
  }
  Result<void> done = perform(*this, *state_, call, "group_hosts", [&](gantry_driver* driver) {
    return state_->ops.group_hosts(driver, call.handle(), &group, &view, rows_out);
  });
  clear_beyond(rows_out, view.rows);
  return done;
}

Result<void> Driver::update_service_capabilities(DriverCall& call, std::string_view service, std::string_view host,
                                                 std::string_view capabilities) {
  if (state_->ops.update_service_capabilities == nullptr) return {};
  return perform(*this, *state_, call, "update_service_capabilities", [&](gantry_driver* driver) {
    return state_->ops.update_service_capabilities(driver, call.handle(), to_abi(service), to_abi(host),
                                                   to_abi(capabilities));
  });
}

Result<void> Driver::call_method(DriverCall& call, const gantry_method_call& method) {
  const std::string topic(from_abi(method.topic));
  const std::string name(from_abi(method.method));
  if (offers(topic, name)) {
    return perform(*this, *state_, call, name,
                   [&](gantry_driver* driver) { return state_->ops.call_method(driver, call.handle(), &method); });
  }
  std::string known;
  const auto found = manifest().methods.find(topic);
  if (found != manifest().methods.end()) {
    for (const std::string& one : found->second) known.append(known.empty() ? "one of " : ", ").append(one);
  }
  return Error{ErrorCode::unsupported,
               "driver '" + manifest().id + "', topic '" + topic + "': expected " +
                   (known.empty() ? "no custom method, for it has none" : known) + ", found '" + name + "'",
               {}};
}

Result<void> Driver::count_capacity(DriverCall& call, const gantry_request& request, std::uint64_t* counts) {
  const auto& ops = state_->ops;
  const void* const found = ops.extension == nullptr ? nullptr
                                                     : ops.extension(instance_for(*state_, *this, call)->object(),
                                                                     to_abi(GANTRY_CAPACITY_EXTENSION));
  const auto* const table = static_cast<const gantry_capacity*>(found);
  if (table == nullptr || !GANTRY_HAS(table, gantry_capacity, count) || table->count == nullptr) {
    return Error{
        ErrorCode::unsupported, "driver '" + manifest().id + "' does not offer " + GANTRY_CAPACITY_EXTENSION, {}};
  }
  return perform(*this, *state_, call, "count_capacity",
                 [&](gantry_driver* driver) { return table->count(driver, call.handle(), &request, counts); });
}

const std::uint64_t* Driver::complete_rows(DriverCall& call, const gantry_view& view) const {
  const std::uint64_t words = bitmap_words(view.rows);
  auto* rows =
      static_cast<std::uint64_t*>(call.allocate(std::max<std::uint64_t>(words, 1) * sizeof(std::uint64_t), 64));
  if (rows == nullptr) return nullptr;
  std::fill_n(rows, words, ~std::uint64_t{0});
  clear_beyond(rows, view.rows);
  for (const ColumnUse& need : manifest().needs) {
    const gantry_column* column = find_column(*DriverCall::State::of(call.handle()), view, need.name);
    if (column == nullptr)
      std::fill_n(rows, words, 0);
    else if (column->validity != nullptr)
      std::transform(rows, rows + words, column->validity, rows, std::bit_and<>());
  }
  return rows;
}

}  // namespace gantry::drivers
