// SPDX-License-Identifier: Apache-2.0
#include "tests/nova/placement/placement_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace gantry::nova::testing {

namespace {

constexpr int not_installed = 77;

}  // namespace

bool PlacementProcess::start(const std::vector<std::string>& more) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const std::string port = std::to_string(port_);
  std::vector<const char*> words{"/usr/bin/python3", "-B", PLACEMENT_SERVER, database_.c_str(), port.c_str()};
  for (const auto& word : more) words.push_back(word.c_str());
  words.push_back(nullptr);
  process_ = fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves no server behind
    dup2(ends[1], STDOUT_FILENO);
    execv(words[0], const_cast<char* const*>(words.data()));
    _exit(not_installed);
  }
  close(ends[1]);
  std::FILE* const output = fdopen(ends[0], "r");
  const bool serves = std::fscanf(output, "%d", &port_) == 1;
  std::fclose(output);
  if (serves) return true;
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == not_installed) return false;
  throw std::runtime_error("placement does not start; its words are above");
}

void PlacementProcess::stop() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = 0;
}

void PlacementProcess::pause() const {
  kill(process_, SIGSTOP);
}

void PlacementProcess::go_on() const {
  kill(process_, SIGCONT);
}

bool PlacementProcess::has_unread_request() const {
  std::ifstream sockets("/proc/net/tcp");
  std::string line;
  std::getline(sockets, line);
  while (std::getline(sockets, line)) {
    unsigned port = 0, state = 0, unsent = 0, unread = 0;
    const auto read = std::sscanf(line.c_str(), " %*u: %*8X:%X %*8X:%*X %X %X:%X", &port, &state, &unsent, &unread);
    constexpr unsigned listens = 10;
    if (read == 4 && port == static_cast<unsigned>(port_) && state != listens && unread > 0) return true;
  }
  return false;
}

}  // namespace gantry::nova::testing
