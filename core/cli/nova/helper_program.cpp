// SPDX-License-Identifier: Apache-2.0
#include "core/cli/nova/helper_program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ostream>

#include "core/files/descriptor.hpp"
#include "core/files/installation.hpp"

namespace gantry::cli {

namespace {

constexpr const char* helper_name = "gantry-nova-check";

Error not_run(const std::string& why) {
  return {ErrorCode::unavailable, std::string(helper_name) + ": " + why, ""};
}

Result<pid_t> started(const std::string& path, const std::vector<std::string>& arguments, int output) {
  std::vector<char*> words{const_cast<char*>(path.c_str())};
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t process = -1;
  const int failure = posix_spawn(&process, path.c_str(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return not_run(path + " cannot be run: " + std::strerror(failure));
  return process;
}

void copy_until_end(int from, std::ostream& out) {
  std::array<char, 4096> bytes{};
  for (;;) {
    const ssize_t size = ::read(from, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;
    out.write(bytes.data(), size).flush();
  }
}

}  // namespace

Result<std::string> find_nova_check() {
  const auto path = files::companion_program(helper_name);
  if (::access(path.c_str(), X_OK) == 0) return path.string();
  return not_run("expected this program as " + path.string() +
                 ", found none; it is installed with the part of Gantry that takes the place of nova-scheduler");
}

Result<int> run_nova_check(const std::vector<std::string>& arguments, std::ostream& out) {
  const auto path = find_nova_check();
  if (!path) return path.error();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return not_run(std::string("no pipe: ") + std::strerror(errno));
  const files::Descriptor reading(ends[0]);
  files::Descriptor writing(ends[1]);
  const auto process = started(*path, arguments, writing.number());
  writing = files::Descriptor();
  if (!process) return process.error();
  copy_until_end(reading.number(), out);
  int status = 0;
  while (::waitpid(*process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return not_run("ended by signal " + std::to_string(WTERMSIG(status)));
}

}  // namespace gantry::cli
