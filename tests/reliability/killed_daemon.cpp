// SPDX-License-Identifier: Apache-2.0
#include "tests/reliability/killed_daemon.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace gantry::reliability {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::minutes longest_start{3};
constexpr std::chrono::milliseconds look_interval{2};

bool takes_connections(const std::string& socket_path) {
  const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socket_path.copy(address.sun_path, sizeof address.sun_path - 1);
  const bool connected = connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(descriptor);
  return connected;
}

// Where each thread stands, as the kernel says it: what a process that hangs waits for.
std::string state_of(pid_t pid) {
  std::string text;
  const auto tasks = "/proc/" + std::to_string(pid) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks)) {
    for (const auto* name : {"stat", "wchan", "syscall"}) {
      std::ifstream file(task.path() / name);
      std::string line;
      std::getline(file, line);
      text += line + "\n";
    }
  }
  return text;
}

}  // namespace

KilledDaemon::KilledDaemon(std::chrono::seconds claim_max_age) {
  set_claim_max_age(claim_max_age);
}

void KilledDaemon::set_claim_max_age(std::chrono::seconds age) {
  gantry_.configure("\"simple\"",
                    "[scheduling]\nclaim_max_age = " + std::to_string(age.count()) + "\n[log]\nlevel = \"error\"\n");
}

bool KilledDaemon::start(const std::optional<KillPoint>& point) {
  std::vector<std::string> environment;
  if (point) {
    environment = {"LD_PRELOAD=" GANTRY_KILL_POINT_LIBRARY, "KILL_POINT_FILES=" + gantry_.store_path(),
                   "KILL_POINT_AT=" + std::to_string(point->call),
                   std::string("KILL_POINT_SIDE=") + (point->after ? "after" : "before"),
                   "KILL_POINT_NOTE=" + (gantry_.directory() / "killed_at").string()};
  }
  if (point && !point->kind.empty()) environment.push_back("KILL_POINT_CALL=" + point->kind);
  const auto begun = Clock::now();
  ++starts_;
  gantry_.launch(environment);
  while (!takes_connections(gantry_.socket_path())) {
    if (!gantry_.is_running()) {
      note_kill();
      ++kills_before_ready_;
      return false;
    }
    if (Clock::now() - begun > longest_start)
      throw std::runtime_error("gantryd does not start:\n" + state_of(gantry_.pid()) + gantry_.log());
    std::this_thread::sleep_for(look_interval);
  }
  milliseconds_to_ready_.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begun).count());
  return true;
}

void KilledDaemon::kill_within(std::chrono::milliseconds time) {
  const auto until = Clock::now() + time;
  while (gantry_.is_running() && Clock::now() < until) std::this_thread::sleep_for(look_interval);
  note_kill();
}

void KilledDaemon::note_kill() {
  const auto status = gantry_.kill();
  if (status != 128 + SIGKILL)
    throw std::runtime_error("gantryd ended by itself with status " + std::to_string(status) + ":\n" + gantry_.log());
  ++kills_;
  const auto note = gantry_.directory() / "killed_at";
  std::string point;
  std::ifstream file(note);
  if (!std::getline(file, point)) point = "from outside";
  file.close();
  std::filesystem::remove(note);
  ++kills_by_point_[point];
}

}  // namespace gantry::reliability
