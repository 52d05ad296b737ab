// SPDX-License-Identifier: Apache-2.0
#include "service_child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace gantry::bench {

void give_up(const std::string& why) {
  std::fprintf(stderr, "bench_service: %s\n", why.c_str());
  std::exit(1);
}

Child::Child(const std::vector<std::string>& words, const std::string& log) {
  std::vector<char*> arguments(words.size() + 1, nullptr);
  std::transform(words.begin(), words.end(), arguments.begin(),
                 [](const std::string& word) { return const_cast<char*>(word.c_str()); });
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  const int failed = posix_spawn(&pid_, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) give_up("cannot run " + words[0]);
}

Child::~Child() {
  kill(pid_, SIGTERM);
  waitpid(pid_, nullptr, 0);
}

bool Child::running() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

double Child::processor_seconds() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/stat");
  std::string line;
  std::getline(file, line);
  std::istringstream fields(line.substr(line.rfind(')') + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::uint64_t Child::written_bytes() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/io");
  std::uint64_t value = 0;
  for (std::string key; file >> key >> value;) {
    if (key == "write_bytes:") return value;
  }
  give_up("no write_bytes in /proc/" + std::to_string(pid_) + "/io");
}

}  // namespace gantry::bench
