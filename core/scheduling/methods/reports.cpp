// SPDX-License-Identifier: Apache-2.0
//
// The methods with which services and agents report.
#include "core/scheduling/decision/group_joining.hpp"
#include "core/scheduling/decision/method_sink.hpp"
#include "core/scheduling/decision/pinned_moment.hpp"
#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/called_driver.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/methods/shown.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

// A report that seems older than this was not delayed: the host's clock was set back.
constexpr std::int64_t longest_delay = 600'000'000'000;

// Notes the times of a record that has said nothing new.
template <class Record>
Outcome heard_again(State& state, const Record& record, Outcome outcome) {
  state.heartbeats.note(record);
  outcome.in_turn = state.heartbeats.is_changing(record);
  return outcome;
}

// Completes the outcome of a record that is stored. `restore` puts back what was before.
template <class Record, class Restore>
Outcome changed(State& state, const Record& record, Outcome outcome, Restore restore) {
  state.heartbeats.begin_change(record);
  outcome.committed = [&state, record] { state.heartbeats.end_change(record); };
  outcome.undo = [&state, record, restore = std::move(restore)] {
    state.heartbeats.end_change(record);
    restore();
  };
  return outcome;
}

Outcome heard_service(State& state, const fleet::Service& service, Outcome outcome) {
  auto& fleet = state.parts.fleet;
  const auto before = fleet.put_service(service);
  if (state.watch.is_down(service.topic, service.host))
    outcome.events.push_back({"service.up", service.topic, service.host, {}});
  if (before && before->binary == service.binary) return heard_again(state, service, std::move(outcome));
  outcome.batch.push_back(stored(store::Kind::service, service_key(service.topic, service.host), service));
  if (!before)
    outcome.events.push_back({"service.registered", service.topic, service.host, {}, {{"binary", service.binary}}});
  return changed(state, service, std::move(outcome), [&state, before, service] {
    if (before) {
      state.parts.fleet.put_service(*before);
    } else {
      state.parts.fleet.remove_service(service.topic, service.host);
      state.heartbeats.forget(service);
    }
  });
}

// Canonical, since a record in memory has been written and read again.
bool says_nothing_new(const std::optional<fleet::ComputeNode>& before, const fleet::ComputeNode& merged) {
  return before && json::write_canonical(before->stats) == json::write_canonical(merged.stats);
}

// The newer report has ended claims of what it lists; an older one that came after it would show that room as free.
bool is_overtaken(const fleet::Fleet& fleet, const fleet::ComputeNode& report) {
  const auto newest = fleet.sampled_at(report.topic, report.host, report.node);
  return report.sampled_at < newest && newest - report.sampled_at < longest_delay;
}

// Returns the time that the call gives, which may be of the future, or `now`.
Result<std::int64_t> read_sampled_at(const json::object& args, std::int64_t now) {
  const auto* found = json::find(args, "sampled_at");
  if (found == nullptr) return now;
  std::optional<std::int64_t> time;
  if (found->is_string())
    time = parse_time(std::string_view(found->get_string()));
  else if (const auto seconds = json::find_number(args, "sampled_at"); seconds && *seconds > 0 && *seconds < 7e9)
    time = static_cast<std::int64_t>(*seconds * 1e9);
  if (!time) {
    return Error{
        ErrorCode::invalid_argument,
        "argument 'sampled_at': expected ISO 8601 such as \"2026-11-21T09:00:00Z\" or seconds since 1970, found " +
            json::write(*found),
        {}};
  }
  return *time;
}

Outcome service_register(State& state, const MethodCall& call) {
  auto topic = required_text(call.args, "topic");
  if (!topic) return failed(std::move(topic).error());
  auto host = required_text(call.args, "host");
  if (!host) return failed(std::move(host).error());
  auto binary = optional_text(call.args, "binary");
  if (!binary) return failed(std::move(binary).error());
  auto& fleet = state.parts.fleet;
  const auto now = now_nanoseconds();
  auto outcome = changing(state);
  if (auto room = fleet.check_room(*topic, *host); !room) return failed(std::move(room).error());
  auto service = fleet.service(*topic, *host).value_or(fleet::Service{});
  service.topic = *topic;
  service.host = *host;
  if (*binary) service.binary = **binary;
  service.last_seen_up = now;
  ++service.report_count;
  outcome = heard_service(state, service, std::move(outcome));
  outcome.reply = json::value(shown(service, fleet, steady_nanoseconds()));
  return outcome;
}

Outcome report_state(State& state, const MethodCall& call) {
  auto topic = required_text(call.args, "topic");
  if (!topic) return failed(std::move(topic).error());
  auto host = required_text(call.args, "host");
  if (!host) return failed(std::move(host).error());
  auto outcome = changing(state);
  auto service = state.parts.fleet.service(*topic, *host);
  if (!service) {
    return failed({ErrorCode::not_found,
                   "no service of host '" + *host + "' on topic '" + *topic + "'; register it with service_register",
                   {}});
  }
  service->last_seen_up = now_nanoseconds();
  ++service->report_count;
  outcome.reply = json::value(json::object());
  return heard_service(state, *service, std::move(outcome));
}

Outcome update_resource_stats(State& state, const MethodCall& call) {
  auto name = required_host_name(call.args, "name");
  if (!name) return failed(std::move(name).error());
  auto stats = required_object(call.args, "stats");
  if (!stats) return failed(std::move(stats).error());
  if (auto checked = check_report(*stats); !checked) return failed(std::move(checked).error());
  auto topic = optional_text(call.args, "topic");
  if (!topic) return failed(std::move(topic).error());
  const auto now = now_nanoseconds();
  auto sampled_at = read_sampled_at(call.args, now);
  if (!sampled_at) return failed(std::move(sampled_at).error());

  auto& fleet = state.parts.fleet;
  fleet::ComputeNode report;
  report.topic = topic->value_or("compute");
  report.host = name->host;
  report.node = name->node;
  report.stats = std::move(*stats);
  report.sampled_at = std::min(*sampled_at, now + fleet::tolerated_clock_skew);
  report.updated_at = now;
  if (report.sampled_at < *sampled_at) state.reports.see_clock_ahead(report.topic, report.host, steady_nanoseconds());
  auto outcome = changing(state);
  outcome.reply = json::value(json::object());
  if (json::find(call.args, "sampled_at") != nullptr && is_overtaken(fleet, report)) return outcome;
  if (auto room = fleet.check_room(report); !room) return failed(std::move(room).error());
  fleet::ComputeNode merged;
  const auto before = fleet.put_compute_node(report, merged, outcome.claims);
  if (before) {
    if (auto event = state.reports.see(merged, before->stats, steady_nanoseconds()))
      outcome.events.push_back(std::move(*event));
  }
  if (outcome.claims.empty() && says_nothing_new(before, merged)) return heard_again(state, merged, std::move(outcome));
  outcome.batch.push_back(
      stored(store::Kind::compute_node, compute_node_key(merged.topic, merged.host, merged.node), merged));
  auto groups = follow_report(state, before, merged, outcome.claims.steps(), outcome);
  return changed(state, merged, std::move(outcome), [&state, before, merged, groups = std::move(groups)] {
    groups.undo(state.parts.fleet);
    if (before) {
      state.parts.fleet.restore_compute_node(*before);
    } else {
      state.parts.fleet.remove_compute_node(merged.topic, merged.host, merged.node);
      state.heartbeats.forget(merged);
    }
  });
}

Outcome update_service_capabilities(State& state, const MethodCall& call) {
  auto topic = required_text(call.args, "service_name");
  if (!topic) return failed(std::move(topic).error());
  auto host = required_text(call.args, "host");
  if (!host) return failed(std::move(host).error());
  auto capabilities = required_object(call.args, "capabilities");
  if (!capabilities) return failed(std::move(capabilities).error());

  auto& fleet = state.parts.fleet;
  fleet::Capabilities record{*topic, *host, std::move(*capabilities), now_nanoseconds()};
  if (auto room = fleet.check_room(record); !room) return failed(std::move(room).error());
  if (auto* driver = state.parts.drivers.for_topic(*topic); driver != nullptr) {
    PinnedMoment pinned(state, call, *topic);
    MethodSink sink(nullptr, pinned.moment, nullptr, pinned.now);
    drivers::DriverCall driver_call(pinned.settings(&sink));
    auto called = driver->update_service_capabilities(driver_call, *topic, *host, json::write(record.capabilities));
    if (!called) return failed(std::move(called).error());
    if (sink.answer()) record.capabilities = sink.answer()->get_object();
  }
  auto outcome = changing(state);
  if (auto room = fleet.check_room(record); !room) return failed(std::move(room).error());
  outcome.reply = json::value(json::object());
  const auto before = fleet.put_capabilities(record);
  if (before && json::write_canonical(before->capabilities) == json::write_canonical(record.capabilities))
    return heard_again(state, record, std::move(outcome));
  outcome.batch.push_back(stored(store::Kind::capabilities, service_key(*topic, *host), record));
  return changed(state, record, std::move(outcome), [&state, before, record] {
    if (before) {
      state.parts.fleet.put_capabilities(*before);
    } else {
      state.parts.fleet.remove_capabilities(record.topic, record.host);
      state.heartbeats.forget(record);
    }
  });
}

Outcome acknowledge_cast(State& state, const MethodCall& call) {
  auto id = required_text(call.args, "id");
  if (!id) return failed(std::move(id).error());
  auto outcome = changing(state);
  outcome.reply = json::value(json::object());
  const auto cast = state.casts.acknowledge(*id);
  if (!cast) return outcome;
  outcome.batch.push_back(erased(store::Kind::cast, *id));
  // Another cast of the same consumer may wait still.
  if (!cast->consumer.empty() && state.casts.ids_of(cast->consumer).empty())
    state.parts.fleet.acknowledge_cast(cast->consumer, now_nanoseconds(), outcome.claims);
  outcome.undo = [&state, cast] { state.casts.add(*cast); };
  return outcome;
}

Subject reported_host(const State& /*state*/, const MethodCall& call) {
  Subject subject{.topic = "compute", .hosts = std::vector<std::string>()};
  if (call.args.contains("topic")) subject.topic = text_argument(call, "topic");
  if (auto host = host_argument(call, "name")) subject.hosts->push_back(std::move(*host));
  return subject;
}

Subject capable_service(const State& state, const MethodCall& call) {
  return {.topic = text_argument(call, "service_name"), .hosts = topic_and_hosts(state, call).hosts};
}

// A cast that is not there was acknowledged before. That is no secret, so there is nothing to check.
Subject cast_receiver(const State& state, const MethodCall& call) {
  auto receiver = state.casts.receiver_of(text_argument(call, "id"));
  if (!receiver) return {};
  return {.topic = std::move(receiver->first), .hosts = std::vector{std::move(receiver->second)}};
}

}  // namespace

std::vector<Method> report_methods() {
  using enum ArgumentType;
  const auto service_topic = required("topic", text, "The service's topic.", "compute");
  const auto service_host = required("host", text, "The service's host.", "node1");
  return {{.name = "service_register",
           .group = "reports",
           .effect = Effect::idempotent,
           .callers = services_and_agents,
           .summary = "Makes a service known, and counts as a heartbeat; what the operator had set stays.",
           .args = {service_topic, service_host, optional("binary", text, "The program.", "nova-compute")},
           .result = "Service",
           .handle = service_register,
           .subject = topic_and_hosts},
          {.name = "report_state",
           .group = "reports",
           .effect = Effect::idempotent,
           .callers = services_and_agents,
           .summary = "The heartbeat of a service; not_found tells it to register again.",
           .args = {service_topic, service_host},
           .result = "Nothing",
           .handle = report_state,
           .subject = topic_and_hosts},
          {.name = "update_resource_stats",
           .group = "reports",
           .effect = Effect::idempotent,
           .callers = services_and_agents,
           .summary = "A host's or node's resources, merged key by key with what it said before; null removes a key.",
           .args = {required("name", host_name, "The host, or the pair of host and node.", R"("node1")"),
                    required("stats", object,
                             "Fields of compute_nodes and anything more; instances lists whose use it includes.",
                             R"({"vcpus":8,"vcpus_used":0,"memory_mb":16384,"memory_mb_used":512,"local_gb":100,)"
                             R"("local_gb_used":0,"host_ip":"192.0.2.11","rack":"r1"})"),
                    optional("topic", text, "The topic.", "compute").otherwise(R"("compute")"),
                    optional("sampled_at", time, "When it was so; now if not given.")},
           .result = "Nothing",
           .handle = update_resource_stats,
           .subject = reported_host},
          {.name = "update_service_capabilities",
           .group = "reports",
           .effect = Effect::idempotent,
           .callers = services_and_agents,
           .summary = "What a service says it can do.",
           .args = {required("service_name", text, "The service's topic.", "volume"),
                    required("host", text, "The service's host.", "store1"),
                    required("capabilities", object, "As its driver reads them.",
                             R"({"total_capacity_gb":1000,"free_capacity_gb":900})")},
           .result = "Nothing",
           .handle = update_service_capabilities,
           .subject = capable_service,
           .driver = capabilities_driver},
          {.name = "acknowledge_cast",
           .group = "reports",
           .effect = Effect::idempotent,
           .callers = services_and_agents,
           .summary = "The receiver has a cast, so that it is not sent again; also when it was acknowledged before.",
           .args = {required("id", text, "The cast's id.", "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0c01")},
           .result = "Nothing",
           .handle = acknowledge_cast,
           .subject = cast_receiver}};
}

}  // namespace gantry::scheduling
