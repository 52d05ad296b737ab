// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/state.hpp"

#include <cstdlib>

#include "core/encoding/name_path.hpp"
#include "core/encoding/uuid.hpp"

namespace gantry::scheduling {

State::State(Parts given)
    : parts(std::move(given)),
      changeable(parts.settings),
      profiles(std::make_shared<Profiles>(parts.settings.profiles, parts.settings.profiles_required, parts.drivers)),
      events(parts.settings.limits.events, parts.settings.limits.event_bytes),
      instruments(std::make_unique<Instruments>(parts.drivers.all())),
      decisions(parts.fleet, *parts.counters, parts.logger),
      run_id(to_text(random_uuid()).substr(0, 8)) {}

void say_progress(const Parts& parts, std::string_view doing, const std::string& text) {
  parts.logger->write(telemetry::Level::info, doing, {{"so_far", text}});
  if (parts.progress) parts.progress(std::string(doing) + ": " + text);
}

std::int64_t now_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::int64_t steady_nanoseconds() {
  using std::chrono::steady_clock;
  struct Start {
    std::int64_t time = now_nanoseconds();
    steady_clock::time_point at = steady_clock::now();
  };
  static const Start start;
  return start.time + std::chrono::duration_cast<std::chrono::nanoseconds>(steady_clock::now() - start.at).count();
}

std::int64_t clock_steps() {
  constexpr std::int64_t least = 1'000'000'000;
  const auto steps = now_nanoseconds() - steady_nanoseconds();
  return std::abs(steps) < least ? 0 : steps;
}

json::value time_json(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return nullptr;
  return json::value(time_text(nanoseconds));
}

namespace {

std::string joined(std::initializer_list<std::string_view> names) {
  return join_names({names.begin(), names.size()});
}

}  // namespace

std::string key_of(const fleet::Claim& claim) {
  if (claim.id.empty()) return joined({claim.consumer, claim.topic, claim.host, claim.node});
  return joined({claim.consumer, claim.topic, claim.host, claim.node, claim.id});
}

std::string compute_node_key(std::string_view topic, std::string_view host, std::string_view node) {
  return joined({topic, host, node});
}

std::string service_key(std::string_view topic, std::string_view host) {
  return joined({topic, host});
}

}  // namespace gantry::scheduling
