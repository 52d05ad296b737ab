// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/metrics/nova_metrics.hpp"

#include <algorithm>

namespace gantry::scheduling {

namespace {

using telemetry::MetricText;
using telemetry::MetricType;

std::uint64_t one_if(const json::object& part, std::string_view member) {
  return json::find_bool(part, member).value_or(false) ? 1 : 0;
}

std::uint64_t count_in(const json::object& part, std::string_view member) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, json::find_integer(part, member).value_or(0)));
}

void write_broker(const json::object& rpc, MetricText& into) {
  into.family("gantry_nova_broker_connected", MetricType::gauge, "1: Nova's broker is connected.")
      .add({}, one_if(rpc, "connected"));
  into.family("gantry_nova_paused", MetricType::gauge, "1: gantry nova pause holds.").add({}, one_if(rpc, "paused"));
  into.family("gantry_nova_requests_under_way", MetricType::gauge, "Requests of the broker that are not answered yet.")
      .add({}, count_in(rpc, "under_way"));
  into.family("gantry_nova_replies_waiting", MetricType::gauge, "Replies that the broker has not taken yet.")
      .add({}, count_in(rpc, "replies_waiting"));
}

// A database's own members are those of a feed of facts.
void write_database(std::string_view name, const json::object& database, MetricText& into) {
  constexpr double milliseconds_of_second = 1e3;
  into.family("gantry_nova_database_connected", MetricType::gauge, "1: the database is connected.")
      .add({{"database", name}}, one_if(database, "connected"));
  if (const auto took = json::find_integer(database, "last_refresh_ms"))
    into.family("gantry_nova_database_refresh_seconds", MetricType::gauge, "How long the last reading took.")
        .add({{"database", name}}, static_cast<double>(*took) / milliseconds_of_second);
}

}  // namespace

void write_nova(const json::object& status, MetricText& into) {
  constexpr std::size_t most_databases = 100;
  if (const auto mode = json::find_string(status, "mode"))
    into.family("gantry_nova_info", MetricType::gauge, "How Gantry stands beside nova-scheduler; always 1.")
        .add({{"mode", *mode}}, std::uint64_t{1});
  if (const auto* rpc = json::find_object(status, "rpc")) write_broker(*rpc, into);
  if (const auto* mirror = json::find_object(status, "mirror")) write_database("placement", *mirror, into);
  const auto* facts = json::find_object(status, "facts");
  const auto* databases = facts == nullptr ? nullptr : json::find_array(*facts, "databases");
  if (databases == nullptr) return;
  std::size_t told = 0;
  for (const auto& database : *databases) {
    if (!database.is_object() || ++told > most_databases) continue;
    write_database(json::find_string(database.get_object(), "name").value_or("unknown"), database.get_object(), into);
  }
}

}  // namespace gantry::scheduling
