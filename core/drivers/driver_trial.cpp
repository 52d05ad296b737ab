// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/driver_trial.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <utility>

#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/drivers/isolated/isolated_driver.hpp"
#include "core/files/descriptor.hpp"
#include "core/files/errno_text.hpp"

namespace gantry::drivers {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_kept = 65536;
constexpr char accepted = '+';  // the child's answer; another answer is the message of an error

struct Pipe {
  files::Descriptor read;
  files::Descriptor write;
};

struct Child {
  pid_t number = -1;
  files::Descriptor process;  // can be read when the child is over
  files::Descriptor answer;
  files::Descriptor printed;  // standard output and standard error
};

struct Heard {
  std::string answer;
  std::string printed;
  int status = 0;
  bool in_time = true;
};

Error cannot_try() {
  return Error{
      ErrorCode::unavailable, "a driver cannot be tried in a process of its own: " + files::errno_text(errno), {}};
}

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return cannot_try();
  return Pipe{files::Descriptor(ends[0]), files::Descriptor(ends[1])};
}

// The driver is alone and required here, so that each failure of it is an error.
std::string answer_of(config::Settings settings, const std::string& id) {
  settings.scheduler_driver = {id};
  settings.profiles.clear();
  settings.drivers[id].required = true;
  // A driver that is not trusted with the service's process is not trusted with this one, which may be root's.
  if (const auto prepared = isolated::prepare_isolation(settings); !prepared) return prepared.error().message;
  auto set = load_drivers(settings, telemetry::Logger::none(), std::make_shared<telemetry::Counters>(), {});
  if (!set) return set.error().message;
  // The trial leaves out the drivers' end.
  static_cast<void>(std::make_unique<DriverSet>(*std::move(set)).release());
  return std::string(1, accepted);
}

// A process that root has lent to another user could take root back. A process without another user to take back does
// not call: the unit's filter of system calls refuses any change of user.
bool keep_user_for_good() {
  std::array<gid_t, 3> groups{};
  std::array<uid_t, 3> users{};
  if (::getresgid(&groups[0], &groups[1], &groups[2]) != 0 || ::getresuid(&users[0], &users[1], &users[2]) != 0)
    return false;
  const bool one_group = groups[0] == groups[1] && groups[1] == groups[2];
  const bool one_user = users[0] == users[1] && users[1] == users[2];
  return (one_group || ::setresgid(groups[1], groups[1], groups[1]) == 0) &&
         (one_user || ::setresuid(users[1], users[1], users[1]) == 0);
}

[[noreturn]] void run_child(const config::Settings& settings, const std::string& id, const Pipe& answer,
                            const Pipe& printed) {
  if (!keep_user_for_good()) ::_exit(1);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  // The parent tells the signal that ended the child: no handler of this process may make an exit of it.
  for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) ::signal(crash, SIG_DFL);
  const files::Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ::dup2(nothing.number(), STDIN_FILENO);
  ::dup2(printed.write.number(), STDOUT_FILENO);
  ::dup2(printed.write.number(), STDERR_FILENO);
  const std::string text = answer_of(settings, id).substr(0, longest_kept);
  const ssize_t written = ::write(answer.write.number(), text.data(), text.size());
  ::_exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
}

// The group has the processes that the driver made. They may hold the pipes open.
int end_child(const Child& child) {
  ::kill(-child.number, SIGKILL);
  ::kill(child.number, SIGKILL);
  int status = 0;
  while (::waitpid(child.number, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

Result<Child> start_child(const config::Settings& settings, const std::string& id) {
  Result<Pipe> answer = make_pipe();
  if (!answer) return std::move(answer).error();
  Result<Pipe> printed = make_pipe();
  if (!printed) return std::move(printed).error();
  Child child;
  child.number = ::fork();
  if (child.number < 0) return cannot_try();
  if (child.number == 0) run_child(settings, id, *answer, *printed);
  // The C library of Debian 12 declares pidfd_open without its C linkage.
  child.process = files::Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, child.number, 0)));
  if (!child.process.is_open()) {
    const Error error = cannot_try();
    end_child(child);
    return error;
  }
  child.answer = std::move(answer->read);
  child.printed = std::move(printed->read);
  for (const auto* pipe : {&child.answer, &child.printed}) ::fcntl(pipe->number(), F_SETFL, O_NONBLOCK);
  return child;
}

// Reads what is there. Returns false at the end of the pipe.
bool read_available(const files::Descriptor& pipe, std::string& text) {
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::read(pipe.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 && errno == EAGAIN;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > 2 * longest_kept) text.erase(0, text.size() - longest_kept);
  }
}

Heard listen(const Child& child, Clock::time_point until) {
  Heard heard;
  std::array<pollfd, 3> open{
      {{child.process.number(), POLLIN, 0}, {child.answer.number(), POLLIN, 0}, {child.printed.number(), POLLIN, 0}}};
  while (open[0].revents == 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    heard.in_time = left > 0;
    if (!heard.in_time) break;
    if (::poll(open.data(), open.size(), static_cast<int>(std::min<long long>(left, 60'000))) < 0) open[0].revents = 0;
    if (!read_available(child.answer, heard.answer)) open[1].fd = -1;
    if (!read_available(child.printed, heard.printed)) open[2].fd = -1;
  }
  heard.status = end_child(child);
  read_available(child.answer, heard.answer);
  read_available(child.printed, heard.printed);
  return heard;
}

// libstdc++ says here which exception it was.
std::string last_line(std::string text) {
  constexpr std::size_t longest = 300;
  text.erase(text.find_last_not_of('\n') + 1);
  text.erase(0, text.rfind('\n') + 1);
  return text.substr(0, longest);
}

std::string ending(int status) {
  if (!WIFSIGNALED(status)) return "that it ended the process with exit status " + std::to_string(WEXITSTATUS(status));
  const char* const name = ::sigabbrev_np(WTERMSIG(status));
  return name == nullptr ? "signal " + std::to_string(WTERMSIG(status)) : "a crash by SIG" + std::string(name);
}

Error broken(const CheckedFile& driver, const Heard& heard, std::chrono::milliseconds time) {
  std::string message = "loading driver '" + driver.id + "': " + driver.path;
  for (const DriverFile& library : driver.file->offer_libraries) message.append(", ").append(library.path);
  message.append(": expected that it loads and its create returns");
  if (!heard.in_time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
    message.append(" within ").append(std::to_string(seconds)).append(" s, found that it still runs");
  } else {
    message.append(", found ").append(ending(heard.status));
  }
  const std::string last = last_line(heard.printed);
  if (!last.empty()) message.append("; the last line that it printed: ").append(last);
  return Error{ErrorCode::invalid_configuration, std::move(message), {}};
}

}  // namespace

Result<void> try_driver(const config::Settings& settings, const CheckedFile& driver, std::chrono::milliseconds time) {
  const Result<Child> child = start_child(settings, driver.id);
  if (!child) return child.error();
  const Heard heard = listen(*child, Clock::now() + time);
  if (heard.answer == std::string_view(&accepted, 1)) return {};
  if (heard.answer.empty()) return broken(driver, heard, time);
  return Error{ErrorCode::invalid_configuration, heard.answer, {}};
}

}  // namespace gantry::drivers
