// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner/program.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/isolated/lane.hpp"
#include "core/drivers/isolated/runner/confinement.hpp"
#include "core/drivers/isolated/runner/hosted_driver.hpp"
#include "core/drivers/isolated/runner_process.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "core/files/descriptor.hpp"
#include "core/fleet/cells/cell_memory.hpp"

namespace gantry::drivers::isolated {
namespace {

struct Arguments {
  pid_t service = 0;
  std::uintptr_t lanes_begin = 0;
  std::uint32_t lane_count = 0;
  std::uint64_t memory_limit = 0;
  unsigned int files = 0;
  bool is_confined = true;
};

// The order of RunnerProcess.
std::optional<Arguments> arguments_of(int argc, char** argv) {
  constexpr int count = 8;
  if (argc != count) return std::nullopt;
  const auto number = [argv](int at) { return std::strtoull(argv[at], nullptr, 10); };
  Arguments given;
  given.service = static_cast<pid_t>(number(1));
  given.lanes_begin = number(2);
  given.lane_count = static_cast<std::uint32_t>(number(3));
  given.memory_limit = number(4);
  given.files = static_cast<unsigned int>(number(5));
  given.is_confined = number(6) != 0;
  return given;
}

int fail(const std::string& why) {
  std::cerr << "gantry-runner: " << why << '\n';
  return EXIT_FAILURE;
}

bool map(std::uintptr_t begin, std::uint64_t bytes, int protection, int descriptor) {
  auto* const wanted = reinterpret_cast<void*>(begin);  // NOLINT(performance-no-int-to-ptr)
  const bool mapped =
      ::mmap(wanted, bytes, protection, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, descriptor, 0) == wanted;
  ::close(descriptor);
  if (mapped) ::madvise(wanted, bytes, MADV_DONTDUMP);
  return mapped;
}

// Where memory runs out, the kernel ends the driver before the service.
void offer_itself_first() {
  const files::Descriptor score(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  [[maybe_unused]] const auto written = ::write(score.number(), "1000", 4);
}

// Keeps nothing of the service but what it was given.
Result<void> settle(const Arguments& given) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != given.service) return Error{ErrorCode::unavailable, "the service has ended", {}};
  ::syscall(SYS_close_range, static_cast<unsigned int>(first_file_descriptor) + given.files, ~0U, 0);
  if (!map(fleet::shared_memory_begin, fleet::shared_memory_size, PROT_READ, cells_descriptor) ||
      !map(given.lanes_begin, given.lane_count * Lane::size, PROT_READ | PROT_WRITE, lanes_descriptor))
    return Error{ErrorCode::unavailable, "expected free address space for the shared memory, found none", {}};
  offer_itself_first();
  if (!given.is_confined) return {};
  limit_memory(given.memory_limit, given.lane_count);
  return confine();
}

// The answer to Operation::start. Error: the driver is not there.
void tell_start(RunnerLane& lane, const Result<RunnerTraits>& traits) {
  lane.end(Record::started, [&traits](MessageWriter& to) {
    to.number(static_cast<std::uint8_t>(traits ? 1 : 0));
    to.text(traits ? std::string_view() : std::string_view(traits.error().message));
    const RunnerTraits has = traits ? *traits : RunnerTraits();
    for (const bool trait : {has.decides, has.hosts_up, has.group_hosts, has.update_service_capabilities,
                             has.call_method, has.counts_capacity, has.reads_only_its_files})
      to.number(static_cast<std::uint8_t>(trait ? 1 : 0));
  });
}

// Every lane has a thread, the first one this.
[[noreturn]] void serve(HostedDriver& driver, RunnerLane& lane) {
  for (;;) {
    const CallInput& input = lane.await_call();
    if (input.operation == Operation::destroy) {
      driver.destroy();
      lane.end(Record::done, [](MessageWriter& /*to*/) {});
    } else {
      driver.run(input, lane);
    }
  }
}

}  // namespace

int run_runner(int argc, char** argv) {
  const auto given = arguments_of(argc, argv);
  if (!given) return fail("gantryd starts this program for a driver with isolation = \"process\"; it has no other use");
  if (Result<void> settled = settle(*given); !settled) return fail(settled.error().message);
  install_crash_report({});
  const auto logger = std::make_shared<RunnerLogger>();
  HostedDriver driver(logger, given->is_confined);
  RunnerLane first(Lane(given->lanes_begin));
  const CallInput& input = first.await_call();
  const auto bytes = from_abi(input.start);
  const auto start = decode(std::as_bytes(std::span(bytes.data(), bytes.size())));
  if (input.operation != Operation::start || !start) return fail("expected a driver to create, found none");
  logger->set_level(static_cast<telemetry::Level>(input.log_level));
  Result<RunnerTraits> traits = [&] {
    const RunnerLogger::CallOfThread lines_of_this_thread(first);
    return driver.create(*start);
  }();
  if (given->is_confined) {
    if (Result<void> confined = confine_further(); traits && !confined) traits = std::move(confined).error();
  }
  std::vector<std::thread> threads;
  for (std::uint32_t at = 1; traits && at < given->lane_count; ++at) {
    threads.emplace_back([&driver, lane = Lane(given->lanes_begin + at * Lane::size)] {
      RunnerLane own(lane);
      serve(driver, own);
    });
  }
  tell_start(first, traits);
  serve(driver, first);
}

}  // namespace gantry::drivers::isolated
