// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cmath>
#include <map>

#include "core/scheduling/methods.hpp"

namespace gantry::scheduling {

namespace {

// Whether the file that was loaded is still the one that a restart would load.
std::string_view on_disk(const drivers::DriverFile& loaded) {
  const auto now = drivers::open_driver_file(
      loaded.path, {.check_owner_and_mode = false, .sha256 = {}, .system_library_directories = {}});
  if (!now) return access(loaded.path.c_str(), F_OK) == 0 ? "changed" : "missing";
  return now->sha256 == loaded.sha256 ? "same" : "changed";
}

json::object driver_json(const drivers::Driver& driver) {
  const auto& manifest = driver.manifest();
  json::object methods;
  for (const auto& [topic, names] : manifest.methods) methods[topic] = json::array(names.begin(), names.end());
  return {{"id", manifest.id},
          {"version", manifest.version},
          {"description", manifest.description},
          {"path", driver.file().path},
          {"sha256", driver.file().sha256},
          {"topics", json::array(manifest.topics.begin(), manifest.topics.end())},
          {"methods", std::move(methods)},
          {"threads", manifest.threads == drivers::Threads::serial ? "serial" : "reentrant"},
          {"calls", driver.calls()},
          {"failures", driver.failures()},
          {"on_disk", on_disk(driver.file())}};
}

std::uint64_t count_bits(const fleet::Moment& moment, const gantry_view& view, std::string_view name) {
  const auto* column = moment.column(view, name);
  if (column == nullptr || column->type != GANTRY_TYPE_BOOL) return 0;
  std::uint64_t count = 0;
  for (std::uint32_t row = 0; row < view.rows; ++row) {
    count += (static_cast<const std::uint64_t*>(column->values)[row / 64] >> (row % 64)) & 1U;
  }
  return count;
}

json::object topics_json(const fleet::Moment& moment) {
  json::object result;
  for (const auto topic : moment.topics()) {
    const auto& view = *moment.view(topic);
    result[topic] = json::object{{"hosts", view.rows},
                                 {"up", count_bits(moment, view, "up")},
                                 {"disabled", count_bits(moment, view, "disabled")}};
  }
  return result;
}

json::array skipped_json(const drivers::DriverSet& drivers) {
  json::array result;
  for (const auto& [id, error] : drivers.skipped()) {
    result.push_back(json::object{{"id", id}, {"reason", error.message}});
  }
  return result;
}

}  // namespace

json::object shown(const fleet::Claim& claim) {
  json::array items;
  for (const auto& item : claim.items) {
    json::object shown_item{{"resource", item.resource}, {"amount", item.amount}};
    shown_item["limit"] = std::isfinite(item.limit) ? json::value(item.limit) : json::value(nullptr);
    items.push_back(std::move(shown_item));
  }
  return {{"consumer", claim.consumer},
          {"topic", claim.topic},
          {"host", claim.host},
          {"node", claim.node},
          {"items", std::move(items)},
          {"durable", claim.durable},
          {"cast_waits", claim.cast_waits},
          {"created_at", time_json(claim.created_at)}};
}

Outcome status(State& state, const Call&) {
  const auto now = now_nanoseconds();
  json::object instance_counts;
  for (const auto& [vm_state, count] : state.parts.fleet.instance_counts()) instance_counts[vm_state] = count;
  json::array drivers;
  for (const auto* driver : state.parts.drivers.all()) drivers.push_back(driver_json(*driver));
  json::array counters;
  for (const auto& entry : state.parts.counters->list()) {
    counters.push_back(json::object{{"name", entry.name}, {"label", entry.label}, {"value", entry.value}});
  }
  Outcome outcome;
  outcome.reply = json::value(json::object{{"version", GANTRY_VERSION},
                                           {"abi", GANTRY_ABI_TEXT},
                                           {"pid", getpid()},
                                           {"started_at", time_json(state.started_at)},
                                           {"uptime_seconds", (now - state.started_at) / 1'000'000'000},
                                           {"store", state.parts.store.describe()},
                                           {"drivers", std::move(drivers)},
                                           {"skipped_drivers", skipped_json(state.parts.drivers)},
                                           {"topics", topics_json(state.parts.fleet.pin(now))},
                                           {"instances", std::move(instance_counts)},
                                           {"claims", state.parts.fleet.claims().size()},
                                           {"casts", state.casts.size()},
                                           {"counters", std::move(counters)}});
  return outcome;
}

Outcome list_claims(State& state, const Call&) {
  json::array result;
  for (const auto& claim : state.parts.fleet.claims()) result.push_back(shown(claim));
  Outcome outcome;
  outcome.reply = json::value(std::move(result));
  return outcome;
}

Outcome list_casts(State& state, const Call&) {
  json::array result;
  for (const auto& cast : state.casts.list()) {
    result.push_back(json::object{{"id", cast.id},
                                  {"topic", cast.topic},
                                  {"host", cast.host},
                                  {"node", cast.node},
                                  {"method", cast.method},
                                  {"consumer", cast.consumer},
                                  {"created_at", time_json(cast.created_at)},
                                  {"attempts", cast.attempts}});
  }
  Outcome outcome;
  outcome.reply = json::value(std::move(result));
  return outcome;
}

Outcome list_drivers(State& state, const Call&) {
  json::array result;
  for (const auto* driver : state.parts.drivers.all()) result.push_back(driver_json(*driver));
  Outcome outcome;
  outcome.reply = json::value(std::move(result));
  return outcome;
}

}  // namespace gantry::scheduling
