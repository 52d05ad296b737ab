// SPDX-License-Identifier: Apache-2.0
//
// The part of a RunnerKeeper that has a new runner create its driver.
#include <algorithm>
#include <vector>

#include "core/drivers/isolated/call_input.hpp"
#include "core/drivers/isolated/message.hpp"
#include "core/drivers/isolated/runner_keeper.hpp"

namespace gantry::drivers::isolated {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t longest_text = 4096;

}  // namespace

Result<RunnerTraits> RunnerKeeper::start(RunnerProcess& process, Watched& watched) {
  const Lane lane = lanes_.lane(0);
  const auto bytes = encode(plan_.start);
  InputWriter to(lane.input());
  auto* const input = to.make(CallInput());
  input->operation = Operation::start;
  input->log_level = static_cast<std::int32_t>(logger_->level());
  input->start = to.text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const auto until = steady_clock::now() + plan_.start_limit;
  for (;;) {
    lane.pass_to(LaneTurn::runner);
    if (Result<void> awaited = await_start(process, watched, until); !awaited) return std::move(awaited).error();
    auto traits = read_start();
    if (!traits) return std::move(traits).error();
    if (*traits) return **traits;
    InputWriter(lane.answer()).make(CallAnswer());
  }
}

// Reads meanwhile all that the driver prints: a full pipe would hold it up.
Result<void> RunnerKeeper::await_start(RunnerProcess& process, Watched& watched, TimePoint until) {
  const Lane lane = lanes_.lane(0);
  const std::string expected = plan_.start.files.front().path + ": expected that it loads and its create returns";
  while (!lane.wait_for(LaneTurn::service, std::min(until, steady_clock::now() + milliseconds(20)))) {
    const bool is_over = process.is_over();
    read_printed(process, watched);
    if (is_over) {
      constexpr std::size_t longest = 300;
      // libstdc++ says there which exception it was.
      const auto& last = watched.line.empty() ? watched.last_line : watched.line;
      return Error{ErrorCode::invalid_configuration,
                   expected + ", found that its process " + process.await_end() +
                       (last.empty() ? "" : "; the last line that it printed: " + last.substr(0, longest)),
                   {}};
    }
    if (is_stopping() || steady_clock::now() >= until) {
      return Error{ErrorCode::invalid_configuration,
                   expected + " within " + std::to_string(plan_.start_limit.count()) + " ms, found that it still runs",
                   {}};
    }
  }
  return {};
}

// The message: lines that the driver logged, then a code, a sentence, and which operations the driver has. nullopt: there
// was room for lines alone.
Result<std::optional<RunnerTraits>> RunnerKeeper::read_start() const {
  const Lane lane = lanes_.lane(0);
  constexpr std::uint64_t longest = std::uint64_t{1} << 20;
  const auto size = std::min(lane.bytes_of_message(), longest);
  const auto shared = lane.message().first(size);
  const std::vector<std::byte> bytes(shared.begin(), shared.end());
  MessageReader from(bytes);
  auto record = from.number<Record>();
  for (; record == Record::log && from.is_sound(); record = from.number<Record>()) log_line(from);
  if (record == Record::flush && from.is_sound() && from.is_at_end()) return std::optional<RunnerTraits>();
  const bool is_started = record == Record::started;
  const auto is_created = from.number<std::uint8_t>();
  const std::string sentence(from.text().substr(0, longest_text));
  RunnerTraits traits;
  for (bool* const trait : {&traits.decides, &traits.hosts_up, &traits.group_hosts, &traits.update_service_capabilities,
                            &traits.call_method, &traits.counts_capacity, &traits.reads_only_its_files})
    *trait = from.number<std::uint8_t>() != 0;
  if (!is_started || !from.is_sound() || !from.is_at_end())
    return Error{ErrorCode::invalid_configuration, "its process sent a message that makes no sense", {}};
  if (is_created == 0) return Error{ErrorCode::invalid_configuration, sentence, {}};
  return std::optional(traits);
}

// A line of the driver's create.
void RunnerKeeper::log_line(MessageReader& from) const {
  const auto level = from.number<std::int32_t>();
  const auto line = from.text().substr(0, longest_text);
  const auto lowest = static_cast<std::int32_t>(telemetry::Level::debug);
  const auto highest = static_cast<std::int32_t>(telemetry::Level::error);
  if (from.is_sound())
    logger_->write(static_cast<telemetry::Level>(std::clamp(level, lowest, highest)), line,
                   {{"driver", plan_.start.driver}});
}

}  // namespace gantry::drivers::isolated
