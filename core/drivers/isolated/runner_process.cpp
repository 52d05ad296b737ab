// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "core/files/errno_text.hpp"
#include "core/files/installation.hpp"

namespace gantry::drivers::isolated {
namespace {

Error cannot_start(const std::string& expected, int error) {
  return Error{ErrorCode::unavailable,
               "a process for a driver: expected " + expected + ", found " + files::errno_text(error),
               {}};
}

class SpawnActions {
 public:
  SpawnActions() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    sigset_t all;
    ::sigfillset(&all);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnActions() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  // From a number above all that the runner gets: an earlier action must not overwrite it.
  bool give(int descriptor, int number) {
    constexpr int above = 512;
    high_.emplace_back(::fcntl(descriptor, F_DUPFD_CLOEXEC, above));
    return high_.back().is_open() && ::posix_spawn_file_actions_adddup2(&actions_, high_.back().number(), number) == 0;
  }
  posix_spawn_file_actions_t* actions() { return &actions_; }
  posix_spawnattr_t* attributes() { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
  std::vector<files::Descriptor> high_;
};

// Only what the dynamic linker and the sanitizers of a test need. All, if the process is not confined: LD_PRELOAD is how a
// sanitizer's library comes in.
std::vector<std::string> environment(bool is_confined) {
  std::vector<std::string> kept;
  for (char** entry = environ; !is_confined && *entry != nullptr; ++entry) kept.emplace_back(*entry);
  if (!is_confined) return kept;
  for (const char* const name : {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr) kept.push_back(std::string(name) + "=" + value);
  }
  return kept;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

Result<pid_t> spawn(SpawnActions& actions, const RunnerProcess::Plan& plan) {
  const std::string program = files::companion_program("gantry-runner").string();
  std::vector<std::string> arguments{program,
                                     std::to_string(::getpid()),
                                     std::to_string(plan.lanes_begin),
                                     std::to_string(plan.lane_count),
                                     std::to_string(plan.memory_limit),
                                     std::to_string(plan.files.size()),
                                     plan.is_confined ? "1" : "0",
                                     plan.driver};
  auto kept = environment(plan.is_confined);
  pid_t number = -1;
  const int failed = ::posix_spawn(&number, program.c_str(), actions.actions(), actions.attributes(),
                                   pointers_to(arguments).data(), pointers_to(kept).data());
  if (failed != 0) return cannot_start("the program " + program, failed);
  return number;
}

std::string text_of_status(int status) {
  if (WIFEXITED(status)) return "ended with exit status " + std::to_string(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  const char* const name = ::sigabbrev_np(signal);
  return "ended by signal " + std::to_string(signal) + (name == nullptr ? "" : " (SIG" + std::string(name) + ")");
}

}  // namespace

Result<RunnerProcess> RunnerProcess::start(const Plan& plan) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return cannot_start("a pipe", errno);
  files::Descriptor read_end(ends[0]);
  const files::Descriptor write_end(ends[1]);
  ::fcntl(read_end.number(), F_SETFL, O_NONBLOCK);
  const files::Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  SpawnActions actions;
  bool given = actions.give(nothing.number(), STDIN_FILENO) && actions.give(write_end.number(), STDOUT_FILENO) &&
               actions.give(write_end.number(), STDERR_FILENO) && actions.give(plan.cells, cells_descriptor) &&
               actions.give(plan.lanes, lanes_descriptor);
  int number = first_file_descriptor;
  for (const int file : plan.files) given = given && actions.give(file, number++);
  if (!given) return cannot_start("free descriptors", errno);
  const auto spawned = spawn(actions, plan);
  if (!spawned) return spawned.error();
  RunnerProcess process;
  process.number_ = *spawned;
  process.printed_ = std::move(read_end);
  // The C library of Debian 12 declares pidfd_open without its C linkage.
  process.process_ = files::Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process.number_, 0)));
  if (!process.process_.is_open()) return cannot_start("a descriptor of the process", errno);
  return process;
}

RunnerProcess::RunnerProcess(RunnerProcess&& other) noexcept
    : number_(std::exchange(other.number_, -1)),
      process_(std::move(other.process_)),
      printed_(std::move(other.printed_)),
      ending_(std::move(other.ending_)) {}

RunnerProcess::~RunnerProcess() {
  if (number_ < 0) return;
  kill();
  await_end();
}

void RunnerProcess::kill() const {
  ::syscall(SYS_pidfd_send_signal, process_.number(), SIGKILL, nullptr, 0);
}

bool RunnerProcess::is_over() const {
  pollfd over{process_.number(), POLLIN, 0};
  return ::poll(&over, 1, 0) > 0;
}

const std::string& RunnerProcess::await_end() {
  if (number_ < 0) return ending_;
  int status = 0;
  while (::waitpid(number_, &status, 0) < 0 && errno == EINTR) {
  }
  number_ = -1;
  ending_ = text_of_status(status);
  return ending_;
}

std::chrono::nanoseconds RunnerProcess::processor_time() const {
  clockid_t clock{};
  timespec used{};
  if (::clock_getcpuclockid(number_, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return {};
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace gantry::drivers::isolated
