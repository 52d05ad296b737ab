// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/simulated_fleet.hpp"

#include <algorithm>
#include <map>
#include <thread>

#include "core/cli/agent/stop_signal.hpp"

namespace gantry::cli::agent {

namespace {

using telemetry::Level;

constexpr std::size_t hosts_a_thread = 250;

// The disk of the daemon is full: it refuses changes, but takes heartbeats.
bool is_full(const Result<void>& done) {
  return !done && done.error().code == ErrorCode::resource_exhausted;
}

}  // namespace

SimulatedShard::SimulatedShard(std::vector<SimulatedHostSettings> hosts, std::chrono::milliseconds report_interval,
                               std::unique_ptr<Connection> connection, telemetry::Logger& logger)
    : interval_(report_interval), connection_(std::move(connection)), logger_(logger) {
  std::ranges::sort(hosts, {}, &SimulatedHostSettings::name);
  topic_ = hosts.front().topic;
  for (SimulatedHostSettings& settings : hosts) hosts_.push_back({SimulatedHost(std::move(settings)), {}});
}

Result<json::value> SimulatedShard::call(std::string_view method, const json::object& args,
                                         std::chrono::milliseconds wait) {
  CallWishes wishes;
  wishes.timeout = std::chrono::seconds(5) + wait;
  return connection_->call(method, args, wishes);
}

SimulatedShard::Entry* SimulatedShard::find(std::string_view name) {
  const auto found = std::ranges::lower_bound(
      hosts_, name, {}, [](const Entry& entry) { return std::string_view(entry.host.settings().name); });
  return found != hosts_.end() && found->host.settings().name == name ? &*found : nullptr;
}

Result<void> SimulatedShard::begin_host(Entry& entry) {
  // The report comes first: a service that is up and has said nothing of its host would only be passed over.
  if (auto reported = report(entry); !reported) return reported;
  auto registered =
      call("service_register", {{"topic", topic_}, {"host", entry.host.settings().name}, {"binary", "gantry-agent"}});
  if (!registered) return std::move(registered).error();
  entry.next_beat = SimulatedHost::Clock::now() + interval_;
  return {};
}

Result<void> SimulatedShard::adopt_instances() {
  json::object args{{"vm_state", "active"}, {"limit", 1000}};
  for (;;) {
    auto instances = call("list_instances", args);
    if (!instances) return std::move(instances).error();
    const json::array* page = instances->if_array();
    std::string last;
    for (std::size_t at = 0; page != nullptr && at < page->size(); ++at) {
      if (!(*page)[at].is_object()) continue;
      const json::object& instance = (*page)[at].get_object();
      last = json::find_string(instance, "uuid").value_or("");
      Entry* entry = find(json::find_string(instance, "host").value_or(""));
      if (entry != nullptr) entry->host.adopt(instance);
    }
    if (last.empty() || json::find_string(args, "marker") == last) return {};
    args["marker"] = last;
  }
}

Result<void> SimulatedShard::begin() {
  if (topic_ == "compute")
    if (auto adopted = adopt_instances(); !adopted) return adopted;
  for (Entry& entry : hosts_)
    if (auto begun = begin_host(entry); !begun) return begun;
  return {};
}

Result<void> SimulatedShard::report(Entry& entry) {
  const SimulatedHostSettings& settings = entry.host.settings();
  const std::string sampled_at = now_text();
  auto answer = call("update_resource_stats", {{"name", host_name(settings.name, settings.node)},
                                               {"stats", entry.host.stats()},
                                               {"topic", topic_},
                                               {"sampled_at", sampled_at}});
  if (!answer) return std::move(answer).error().within("host '" + settings.name + "'");
  entry.stale = false;
  return {};
}

Result<void> SimulatedShard::beat(Entry& entry) {
  auto answer = call("report_state", {{"topic", topic_}, {"host", entry.host.settings().name}});
  if (!answer && answer.error().code == ErrorCode::not_found) return begin_host(entry);
  if (!answer) return std::move(answer).error();
  entry.next_beat = SimulatedHost::Clock::now() + interval_;
  return report(entry);
}

Result<void> SimulatedShard::receive(std::chrono::milliseconds wait) {
  json::array names;
  for (const Entry& entry : hosts_) names.emplace_back(entry.host.settings().name);
  auto casts =
      call("receive_casts", {{"topic", topic_}, {"hosts", names}, {"wait_ms", wait.count()}, {"limit", 256}}, wait);
  if (!casts) return std::move(casts).error();
  if (!casts->is_array()) return {};
  for (const json::value& value : casts->get_array()) {
    if (!value.is_object()) continue;
    const json::object& cast = value.get_object();
    Entry* entry = find(json::find_string(cast, "host").value_or(""));
    if (entry == nullptr) continue;
    entry->host.take(cast, SimulatedHost::Clock::now());
    entry->stale = true;
    logger_.write(Level::info, "cast taken",
                  {{"host", entry->host.settings().name},
                   {"method", std::string(json::find_string(cast, "method").value_or(""))}});
    auto acknowledged = call("acknowledge_cast", {{"id", json::find_string(cast, "id").value_or("")}});
    if (!acknowledged) return std::move(acknowledged).error();
  }
  return {};
}

Result<void> SimulatedShard::settle(Entry& entry) {
  for (const SimulatedHost::Outcome& outcome : entry.host.due(SimulatedHost::Clock::now())) {
    json::object args{{"uuid", outcome.uuid}, {"vm_state", outcome.fault.empty() ? "active" : "error"}};
    if (!outcome.fault.empty()) args["fault"] = outcome.fault;
    auto answer = call("update_instance", args);
    if (!answer && may_pass(answer.error().code)) return std::move(answer).error();
    if (!answer)
      logger_.write(Level::warning, "state not accepted",
                    {{"instance", outcome.uuid}, {"why", answer.error().message}});
    if (!answer && answer.error().code == ErrorCode::not_found)
      entry.host.forget(outcome.uuid);
    else
      entry.host.settled(outcome.uuid);
    entry.stale = true;
  }
  return {};
}

// While the daemon's disk is full, each host goes on as far as it can. The first refusal is returned.
Result<void> SimulatedShard::turn(std::chrono::milliseconds wait) {
  Result<void> outcome = receive(wait);
  if (!outcome && !is_full(outcome)) return outcome;
  const auto now = SimulatedHost::Clock::now();
  for (Entry& entry : hosts_) {
    Result<void> done = settle(entry);
    if (entry.next_beat <= now && (done || is_full(done))) {
      done = beat(entry);
    } else if (entry.stale && done) {
      done = report(entry);
    }
    if (!done && !is_full(done)) return done;
    if (!done && outcome) outcome = std::move(done);
  }
  return outcome;
}

void SimulatedShard::run(const std::stop_token& stop) {
  Backoff backoff;
  bool begun = true;
  bool was_well = true;
  while (!stop.stop_requested()) {
    Result<void> done = begun ? turn(std::chrono::milliseconds(200)) : begin();
    begun = done || (begun && is_full(done));
    if (done) {
      if (!was_well) logger_.write(Level::info, "reporting again");
      was_well = true;
      backoff.reset();
      continue;
    }
    if (was_well) logger_.write(Level::warning, "cannot report, trying on", {{"why", done.error().message}});
    was_well = false;
    pause_for(stop, backoff.next());
  }
}

namespace {

// Hosts of one topic go together, a bounded number to a thread.
std::vector<std::vector<SimulatedHostSettings>> portions(std::vector<SimulatedHostSettings> hosts) {
  std::map<std::string, std::vector<SimulatedHostSettings>> by_topic;
  for (SimulatedHostSettings& host : hosts) by_topic[host.topic].push_back(std::move(host));
  std::vector<std::vector<SimulatedHostSettings>> parts;
  for (auto& [topic, all] : by_topic)
    for (std::size_t at = 0; at < all.size(); at += hosts_a_thread) {
      const std::size_t end = std::min(at + hosts_a_thread, all.size());
      parts.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(at), all.begin() + static_cast<std::ptrdiff_t>(end));
    }
  return parts;
}

}  // namespace

Result<void> simulate(std::vector<SimulatedHostSettings> hosts, std::chrono::milliseconds report_interval, bool once,
                      const NewConnection& connect, telemetry::Logger& logger, const std::stop_token& stop) {
  const std::string count = std::to_string(hosts.size());
  std::vector<std::unique_ptr<SimulatedShard>> shards;
  for (auto& part : portions(std::move(hosts))) {
    auto connection = connect();
    if (!connection) return std::move(connection).error();
    shards.push_back(
        std::make_unique<SimulatedShard>(std::move(part), report_interval, std::move(*connection), logger));
  }
  Backoff backoff;
  for (const auto& shard : shards)
    for (;;) {
      auto begun = shard->begin();
      if (begun) break;
      if (once || !may_pass(begun.error().code)) return begun;
      logger.write(Level::warning, "cannot register, trying on", {{"why", begun.error().message}});
      if (!pause_for(stop, backoff.next())) return {};
    }
  logger.write(Level::info, "fleet registered", {{"hosts", count}, {"threads", std::to_string(shards.size())}});
  if (once) return {};
  {
    std::vector<std::jthread> threads;
    threads.reserve(shards.size());
    for (const auto& shard : shards) threads.emplace_back([&shard, stop] { shard->run(stop); });
  }
  logger.write(Level::info, "ended", {{"hosts", count}});
  return {};
}

}  // namespace gantry::cli::agent
