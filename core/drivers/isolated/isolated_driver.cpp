// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/isolated_driver.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string>
#include <utility>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/call/call_state.hpp"
#include "core/drivers/file/file_content.hpp"
#include "core/drivers/file/refusal.hpp"
#include "core/drivers/isolated/served_call.hpp"
#include "core/drivers/judge/driver_files.hpp"
#include "core/drivers/load/sealed_copy.hpp"
#include "core/files/errno_text.hpp"
#include "core/fleet/cells/cell_memory.hpp"

namespace gantry::drivers::isolated {
namespace {

using std::chrono::milliseconds;
using TimePoint = std::chrono::steady_clock::time_point;

constexpr std::uint32_t reentrant_lanes = 16;
// A runner whose call is that late is killed. Turns gives the call up a little later, and would know less of it.
constexpr milliseconds patience{50};

// A copy that a new version of the file, put in its place, leaves as it is.
Result<files::Descriptor> keep(const DriverFile& file, bool seal) {
  if (seal) {
    const auto content = read_content(file.descriptor.number(), file.path);
    if (!content) return content.error();
    auto copy = make_sealed_copy(*content, file.manifest.id);
    if (copy || copy.error().code != ErrorCode::unsupported) return copy;
  }
  files::Descriptor same(::fcntl(file.descriptor.number(), F_DUPFD_CLOEXEC, 0));
  if (!same.is_open()) return refuse(file.path, {"load", "a free file descriptor", files::errno_text(errno)});
  return same;
}

std::int64_t nanoseconds_of(TimePoint deadline) {
  if (deadline == TimePoint::max()) return std::numeric_limits<std::int64_t>::max();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(deadline.time_since_epoch()).count();
}

// The part that every operation has.
CallInput input_of(InputWriter& to, Operation operation, const DriverCall::State& state, telemetry::Level level) {
  const auto& settings = state.settings;
  CallInput input;
  input.operation = operation;
  input.log_level = static_cast<std::int32_t>(level);
  input.takes_results = settings.sink == nullptr ? 0 : 1;
  input.context = to.context(settings.context);
  input.view = to.view(settings.view);
  input.now = settings.now;
  input.seed = settings.seed;
  input.deadline = nanoseconds_of(settings.deadline);
  input.memory_limit = state.arena.limit();
  return input;
}

std::string_view request_of(const DriverCall::State& state) {
  const gantry_context* const context = state.settings.context;
  return context == nullptr ? std::string_view{} : from_abi(context->request_id);
}

}  // namespace

bool runs_apart(const Manifest& manifest, const config::DriverSettings& section) {
  const bool is_wanted = section.isolation.value_or(manifest.isolation) != config::Isolation::none;
  return is_wanted && fleet::shared_cells() != nullptr;
}

Result<void> prepare_isolation(const config::Settings& settings) {
  const bool is_wanted = std::ranges::any_of(settings.scheduler_driver, [&settings](const std::string& id) {
    const auto section = settings.drivers.find(id);
    if (section != settings.drivers.end() && section->second.isolation)
      return *section->second.isolation != config::Isolation::none;
    const CheckedFile checked = check_driver_file(settings, id);
    return checked.file && checked.file->manifest.isolation == config::Isolation::process;
  });
  if (!is_wanted) return {};
  Result<void> shared = fleet::share_cells();
  if (!shared) return std::move(shared).error().within("isolation = \"process\"");
  return {};
}

IsolatedDriver::IsolatedDriver(const gantry_host& host, std::vector<files::Descriptor> files, RunnerKeeper::Plan plan,
                               LaneMemory lanes, const OfferSurroundings& surroundings)
    : host_(host),
      call_timeout_(surroundings.timeout),
      files_(std::move(files)),
      keeper_(std::move(plan), std::move(lanes), surroundings.logger, surroundings.counters) {}

IsolatedDriver::~IsolatedDriver() = default;

Result<std::unique_ptr<IsolatedDriver>> IsolatedDriver::start(const DriverFile& file, const gantry_host& host,
                                                              const OfferSurroundings& surroundings) {
  constexpr milliseconds least_start{10'000};
  constexpr milliseconds reserve{500};
  const fleet::SharedMemory* const cells = fleet::shared_cells();
  if (cells == nullptr) return Error{ErrorCode::internal, "an isolated driver: expected shared cells, found none", {}};
  std::vector<files::Descriptor> files;
  RunnerKeeper::Plan plan;
  plan.start.driver = file.manifest.id;
  plan.start.timeout = surroundings.timeout;
  plan.start.section.options = surroundings.section.options;
  plan.start.section.offers = surroundings.section.offers;
  std::vector<const DriverFile*> sources{&file};
  for (const auto& library : file.offer_libraries) sources.push_back(&library);
  for (const DriverFile* source : sources) {
    auto kept = keep(*source, surroundings.seal);
    if (!kept) return std::move(kept).error();
    const int number = first_file_descriptor + static_cast<int>(files.size());
    plan.start.files.push_back({source->path, source->sha256, number});
    plan.process.files.push_back(kept->number());
    files.push_back(*std::move(kept));
  }
  plan.process.driver = file.manifest.id;
  plan.process.cells = cells->descriptor;
  plan.process.memory_limit = surroundings.section.memory_limit;
  plan.process.is_confined = surroundings.section.isolation != config::Isolation::debug;
  plan.cpu_limit = surroundings.section.cpu_limit;
  plan.start_limit = std::max(surroundings.timeout, least_start) - reserve;
  auto lanes = LaneMemory::make(file.manifest.threads == Threads::serial ? 1 : reentrant_lanes);
  if (!lanes) return std::move(lanes).error();
  std::unique_ptr<IsolatedDriver> driver(
      new IsolatedDriver(host, std::move(files), std::move(plan), *std::move(lanes), surroundings));
  auto traits = driver->keeper_.begin();
  if (!traits) return std::move(traits).error();
  driver->traits_ = *traits;
  return driver;
}

gantry_code IsolatedDriver::run(Operation operation, gantry_call* call, const Fill& fill,
                                std::span<std::byte> bytes_out) {
  auto& state = *DriverCall::State::of(call);
  const auto lane = keeper_.free_lanes().take(state.settings.deadline);
  if (!lane) {
    return state.fail(GANTRY_DEADLINE_EXCEEDED, "expected a free lane to its process before the deadline, found none");
  }
  const gantry_code code = run_in(keeper_.lanes().lane(*lane), operation, call, fill, bytes_out);
  keeper_.free_lanes().give_back(*lane);
  return code;
}

gantry_code IsolatedDriver::run_in(const Lane& lane, Operation operation, gantry_call* call, const Fill& fill,
                                   std::span<std::byte> bytes_out) {
  auto& state = *DriverCall::State::of(call);
  InputWriter to(lane.input());
  // The runner looks for it at the begin of the input.
  auto* const place = to.array<CallInput>(1);
  CallInput input = input_of(to, operation, state, HostServices::of(&host_).logger().level());
  fill(to, input);
  if (!to.fits()) {
    return state.fail(GANTRY_RESOURCE_EXHAUSTED, "expected a request of at most " +
                                                     std::to_string(lane.input().size() >> 20) +
                                                     " MiB for a driver in its own process, found a larger one");
  }
  if (!to.shares_views()) {
    return state.fail(GANTRY_INTERNAL, "expected a view in shared memory, found one that its process cannot read");
  }
  *place = input;
  const auto runner = keeper_.enter(lane);
  if (!runner) return state.fail(GANTRY_INTERNAL, "its process " + keeper_.status().last_ending + " before the call");
  return await(lane, *runner, call, bytes_out);
}

gantry_code IsolatedDriver::await(const Lane& lane, std::uint64_t runner, gantry_call* call,
                                  std::span<std::byte> bytes_out) {
  auto& state = *DriverCall::State::of(call);
  ServedCall served(host_, call, lane, bytes_out);
  // A caller that waits for less time than a call may take does not end the runner of others.
  const TimePoint allowed = std::chrono::steady_clock::now() + call_timeout_;
  const TimePoint deadline = state.settings.deadline;
  const TimePoint end = (deadline == TimePoint::max() ? allowed : std::max(deadline, allowed)) + patience;
  for (;;) {
    const bool is_ours = lane.wait_for(LaneTurn::service, end);
    if (const auto ending = keeper_.ending_of(runner)) {
      state.has_ended_process = keeper_.blames(request_of(state));
      return state.fail(GANTRY_INTERNAL, "its process " + *ending);
    }
    if (std::chrono::steady_clock::now() >= end) {
      keeper_.kill(runner, "was ended, for a call had not returned by its deadline");
      state.has_ended_process = true;
      return state.fail(GANTRY_DEADLINE_EXCEEDED, "its process " + keeper_.await_ending(runner));
    }
    if (!is_ours) continue;
    const auto next = served.serve();
    if (next == ServedCall::Next::over) return served.code();
    if (next == ServedCall::Next::answered) {
      keeper_.answer(lane, runner);
      continue;
    }
    keeper_.kill(runner, "was ended, for it sent " + served.fault());
    state.has_ended_process = true;
    return state.fail(GANTRY_INTERNAL, "its process " + keeper_.await_ending(runner));
  }
}

}  // namespace gantry::drivers::isolated
