// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/successor.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/daemon/predecessor.hpp"
#include "core/files/errno_text.hpp"

namespace gantry::daemon {

namespace {

// Above those that a program expects, and no other descriptor of the child is there yet.
constexpr int channel_descriptor = 3;

// The program's file may have been replaced since it was started: then the new one is meant.
std::string program_file() {
  std::error_code fault;
  auto path = std::filesystem::read_symlink("/proc/self/exe", fault).string();
  constexpr std::string_view mark = " (deleted)";
  if (path.ends_with(mark) && !std::filesystem::exists(path, fault)) path.resize(path.size() - mark.size());
  return path;
}

std::vector<std::string> arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::string> words;
  for (std::size_t from = 0; from < text.size();) {
    const auto end = std::min(text.find('\0', from), text.size());
    words.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return words;
}

// The variables of sd_listen_fds are for the process that they name.
bool is_inherited(std::string_view variable) {
  for (const std::string_view left_out : {"LISTEN_PID=", "LISTEN_FDS=", "LISTEN_FDNAMES=", "WATCHDOG_PID="})
    if (variable.starts_with(left_out)) return false;
  return !variable.starts_with(std::string(Predecessor::variable) + "=");
}

std::vector<std::string> environment() {
  std::vector<std::string> variables{std::string(Predecessor::variable) + "=" + std::to_string(channel_descriptor)};
  for (char** each = environ; *each != nullptr; ++each)
    if (is_inherited(*each)) variables.emplace_back(*each);
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> found;
  found.reserve(texts.size() + 1);
  for (auto& text : texts) found.push_back(text.data());
  found.push_back(nullptr);
  return found;
}

// Signals are as at the start of a program: this process blocks some, and ignores SIGPIPE.
class SpawnAttributes {
 public:
  SpawnAttributes() {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

std::string ending_of(int status) {
  if (!WIFSIGNALED(status)) return "ended with exit status " + std::to_string(WEXITSTATUS(status));
  const char* const name = sigabbrev_np(WTERMSIG(status));
  return name == nullptr ? "ended by signal " + std::to_string(WTERMSIG(status)) : "ended by SIG" + std::string(name);
}

pid_t wait_for(pid_t process, int& status, int options) {
  pid_t waited = -1;
  do {
    waited = waitpid(process, &status, options);
  } while (waited < 0 && errno == EINTR);
  return waited;
}

}  // namespace

Result<Successor> Successor::start() {
  auto ends = HandoverChannel::make();
  if (!ends) return std::move(ends).error();
  const auto program = program_file();
  auto words = arguments();
  auto variables = environment();
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends->second.number(), channel_descriptor);
  const SpawnAttributes attributes;
  pid_t pid = -1;
  const int failure =
      posix_spawn(&pid, program.c_str(), &files, attributes.get(), pointers(words).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&files);
  if (failure != 0) {
    return Error{ErrorCode::unavailable, "'" + program + "' cannot be started: " + files::errno_text(failure), {}};
  }
  return Successor(pid, std::move(ends->first));
}

Successor::Successor(Successor&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), channel_(std::move(other.channel_)) {}

Successor::~Successor() {
  end();
}

std::string Successor::end() {
  if (pid_ < 0) return {};
  int status = 0;
  // It may be about to end by itself: it has closed its side of the channel.
  constexpr int looks = 50;
  for (int look = 0; look < looks; ++look) {
    if (wait_for(pid_, status, WNOHANG) == pid_) {
      pid_ = -1;
      return ending_of(status);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(pid_, SIGKILL);
  wait_for(std::exchange(pid_, -1), status, 0);
  return {};
}

}  // namespace gantry::daemon
