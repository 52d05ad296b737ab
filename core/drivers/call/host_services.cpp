// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/call/host_services.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/call/call_state.hpp"

namespace gantry::drivers {
namespace {

telemetry::Level level_of(std::int32_t level) {
  if (level <= GANTRY_LOG_DEBUG) return telemetry::Level::debug;
  if (level == GANTRY_LOG_INFO) return telemetry::Level::info;
  return level == GANTRY_LOG_WARNING ? telemetry::Level::warning : telemetry::Level::error;
}

void log(const gantry_host* host, const gantry_call* call, std::int32_t level, gantry_string message) {
  const HostServices& services = HostServices::of(host);
  if (!services.logger().enabled(level_of(level))) return;
  const std::string& offer = services.offer();
  const std::string line = offer.empty() ? sentence_of(message) : offer + ": " + sentence_of(message);
  if (call == nullptr) return services.logger().write(level_of(level), line, {{"driver", services.driver()}});
  const auto& state = *DriverCall::State::of(call);
  std::vector<telemetry::Field> fields{{"driver", services.driver()}};
  if (const auto* context = state.settings.context)
    fields.push_back({"request_id", std::string(from_abi(context->request_id))});
  if (!state.settings.log_is_bounded) return services.logger().write(level_of(level), line, fields);
  state.log.write(services.shared_logger(), level_of(level), line, fields);
}

std::int32_t log_enabled(const gantry_host* host, std::int32_t level) {
  return HostServices::of(host).logger().enabled(level_of(level)) ? 1 : 0;
}

void count(const gantry_host* host, gantry_string counter, std::uint64_t amount) {
  constexpr std::size_t longest_name = 64;
  const HostServices& services = HostServices::of(host);
  const std::string name = "driver." + sentence_of(counter).substr(0, longest_name);
  services.counters().add(name, services.driver(), amount);
}

const void* extension(const gantry_host* host, gantry_string id) {
  const auto wanted = from_abi(id);
  const HostServices& services = HostServices::of(host);
  if (wanted == GANTRY_CHANGES_EXTENSION) return changes_table();
  if (wanted == GANTRY_ASK_EXTENSION) return ask_table();
  if (!services.offer().empty()) return nullptr;  // a filter or weigher neither chooses nor explains
  if (wanted == GANTRY_OFFERS_EXTENSION) return services.offers();
  if (wanted == GANTRY_CANDIDATES_EXTENSION) return candidates_table();
  return wanted == GANTRY_EXPLAIN_EXTENSION ? explain_table() : nullptr;
}

gantry_code fail(gantry_call* call, gantry_code code, gantry_string sentence) {
  if (call == nullptr) return code;
  return DriverCall::State::of(call)->fail(code, sentence_of(sentence));
}

const gantry_context* context(gantry_call* call) {
  return call == nullptr ? nullptr : DriverCall::State::of(call)->settings.context;
}

std::int64_t time_left_ns(gantry_call* call) {
  if (call == nullptr) return 0;
  const auto deadline = DriverCall::State::of(call)->settings.deadline;
  if (deadline == std::chrono::steady_clock::time_point::max()) return std::numeric_limits<std::int64_t>::max();
  const auto left = deadline - std::chrono::steady_clock::now();
  return std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::nanoseconds>(left).count());
}

std::int32_t should_stop(gantry_call* call) {
  return time_left_ns(call) == 0 ? 1 : 0;
}

std::int64_t now(gantry_call* call) {
  return call == nullptr ? 0 : DriverCall::State::of(call)->settings.now;
}

std::uint64_t next_random(gantry_call* call) {
  return call == nullptr ? 0 : DriverCall::State::of(call)->random.next();
}

void* scratch(gantry_call* call, std::uint64_t size, std::uint64_t align) {
  return call == nullptr ? nullptr : DriverCall::State::of(call)->arena.allocate(size, align);
}

}  // namespace

void add_call_services(gantry_host& table) {
  table.log = &log;
  table.log_enabled = &log_enabled;
  table.count = &count;
  table.extension = &extension;
  table.fail = &fail;
  table.context = &context;
  table.should_stop = &should_stop;
  table.time_left_ns = &time_left_ns;
  table.now = &now;
  table.random = &next_random;
  table.scratch = &scratch;
}

HostServices::HostServices(std::string driver, std::shared_ptr<telemetry::Logger> logger,
                           std::shared_ptr<telemetry::Counters> counters, std::string offer)
    : gantry_host{},
      driver_(std::move(driver)),
      logger_(std::move(logger)),
      counters_(std::move(counters)),
      offer_(std::move(offer)) {
  constexpr std::string_view host_version = GANTRY_VERSION;
  struct_size = sizeof(gantry_host);
  abi_major = GANTRY_ABI_MAJOR;
  abi_minor = GANTRY_ABI_MINOR;
  name = to_abi("gantry");
  version = to_abi(host_version);
  add_call_services(*this);
  add_view_services(*this);
  add_list_services(*this);
  add_result_services(*this);
  if (!offer_.empty()) refuse_what_is_the_drivers(*this);
}

}  // namespace gantry::drivers
