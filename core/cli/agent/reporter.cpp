// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/reporter.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <utility>

namespace gantry::cli::agent {

namespace {

constexpr CollectorLimits collector_limits{};

void adopt(std::set<std::string>& into, const json::array* names) {
  constexpr std::string_view prefix = "stats.";
  if (names == nullptr) return;
  for (const json::value& value : *names) {
    if (!value.is_string()) continue;
    std::string name(value.get_string());
    into.insert(name.starts_with(prefix) ? name.substr(prefix.size()) : name);
  }
}

}  // namespace

std::string now_text() {
  using Clock = std::chrono::system_clock;
  const auto now = Clock::now();
  const std::time_t seconds = Clock::to_time_t(now);
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count() % 1'000'000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 40> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::array<char, 16> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%06dZ", static_cast<int>(micros));
  return std::string(text.data(), size) + fraction.data();
}

json::value host_name(const std::string& host, const std::string& node) {
  if (node.empty()) return json::value(host);
  return json::array{json::value(host), json::value(node)};
}

Reporter::Reporter(HostSettings settings, AgentState& state, Connection& connection, telemetry::Logger& logger)
    : settings_(std::move(settings)), state_(state), connection_(connection), logger_(logger) {
  wishes_.timeout = std::chrono::seconds(5);
}

Result<void> Reporter::begin(const std::stop_token& stop) {
  if (auto found = look_for_collectors(stop); !found) return found;
  // The report comes first: a service that is up and has said nothing of its host would only be passed over.
  if (auto reported = report(stop); !reported) {
    // A host that is known stays up while its report is refused, as on a full disk.
    static_cast<void>(beat());
    return reported;
  }
  auto service = connection_.call(
      "service_register", {{"topic", settings_.topic}, {"host", settings_.host}, {"binary", "gantry-agent"}}, wishes_);
  if (!service) return std::move(service).error();
  logger_.write(telemetry::Level::info, "registered", {{"topic", settings_.topic}, {"host", settings_.host}});
  return {};
}

Result<void> Reporter::look_for_collectors(const std::stop_token& stop) {
  if (looked_for_collectors_ || settings_.collectors.empty()) return {};
  auto found = find_collectors(settings_.collectors, collector_limits, logger_, stop);
  if (!found) return std::move(found).error();
  collectors_ = std::move(*found);
  looked_for_collectors_ = true;
  logger_.write(telemetry::Level::info, "collectors found",
                {{"directory", settings_.collectors}, {"count", std::to_string(collectors_.size())}});
  return {};
}

Result<void> Reporter::ask_what_is_wanted() {
  auto wanted = connection_.call("stats_wanted", {{"topic", settings_.topic}}, wishes_);
  if (!wanted) return std::move(wanted).error();
  wanted_.clear();
  wanted_stats_.clear();
  if (!wanted->is_object()) return {};
  adopt(wanted_stats_, json::find_array(wanted->get_object(), "stats"));
  wanted_ = wanted_stats_;
  adopt(wanted_, json::find_array(wanted->get_object(), "columns"));
  return {};
}

// A value of a collector that has gone since would count for ever, so it is cleared. Clearing it once leaves alone the
// values that others report of this host.
std::set<std::string> Reporter::without_provider() const {
  std::set<std::string> keys;
  for (const std::string& key : wanted_stats_) {
    const bool is_provided =
        std::ranges::any_of(collectors_, [&](const Collector& collector) { return collector.provides.contains(key); });
    if (!is_provided && !cleared_.contains(key)) keys.insert(key);
  }
  return keys;
}

Result<void> Reporter::beat() {
  auto beat = connection_.call("report_state", {{"topic", settings_.topic}, {"host", settings_.host}}, wishes_);
  if (!beat) return std::move(beat).error();
  return {};
}

Result<void> Reporter::send(const json::object& stats, const std::string& sampled_at) {
  auto answer = connection_.call("update_resource_stats",
                                 {{"name", host_name(settings_.host, settings_.node)},
                                  {"stats", stats},
                                  {"topic", settings_.topic},
                                  {"sampled_at", sampled_at}},
                                 wishes_);
  if (!answer) return std::move(answer).error();
  return {};
}

Result<void> Reporter::report(const std::stop_token& stop) {
  if (auto asked = ask_what_is_wanted(); !asked) return asked;
  // Instances first: what becomes active after this moment is not in the report, and the time says so.
  const std::string sampled_at = now_text();
  const std::vector<AgentInstance> instances = state_.instances();
  const InstanceUse use = state_.use();
  auto facts = read_host_facts(settings_.disk_path);
  if (!facts) return std::move(facts).error();
  facts->memory_mb_used = memory_mb_used_ = steady_use(facts->memory_mb_used, memory_mb_used_, facts->memory_mb);
  if (use.count == 0) state_.set_idle({facts->memory_mb_used, facts->local_gb_used});
  json::object stats = to_stats(*facts, state_.idle(), use, settings_.node.empty() ? settings_.host : settings_.node);
  json::array running;
  for (const AgentInstance& instance : instances)
    if (instance.phase != Phase::failed) running.emplace_back(instance.uuid);
  stats["instances"] = std::move(running);
  const json::object own = stats;
  for (const auto& [key, value] : collect(collectors_, wanted_, collector_limits, logger_, stop))
    if (!stats.contains(key)) stats[key] = value;
  const std::set<std::string> clearing = without_provider();
  for (const std::string& key : clearing)
    if (!stats.contains(key)) stats[key] = nullptr;
  auto sent = send(stats, sampled_at);
  if (!sent && sent.error().code == ErrorCode::invalid_argument && stats.size() > own.size()) {
    logger_.write(telemetry::Level::warning, "collectors' values refused, reporting without them",
                  {{"why", sent.error().message}});
    return send(own, sampled_at);
  }
  if (!sent) return sent;
  cleared_.insert(clearing.begin(), clearing.end());
  return {};
}

}  // namespace gantry::cli::agent
