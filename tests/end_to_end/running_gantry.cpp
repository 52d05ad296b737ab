// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/running_gantry.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

namespace gantry::test {

namespace fs = std::filesystem;

namespace {

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int status_of(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

// Driver files must lie where only root or this user may write, up to the root directory: not below /tmp.
fs::path trusted_parent() {
  const char* home = std::getenv("HOME");
  const fs::path base = fs::path(home != nullptr ? home : "/root") / ".cache" / "gantry-tests";
  umask(022);
  fs::create_directories(base);
  return base;
}

pid_t spawn(const std::vector<std::string>& words, const std::vector<std::string>& environment,
            posix_spawn_file_actions_t& files) {
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> variables;
  for (const auto& variable : environment) variables.push_back(const_cast<char*>(variable.c_str()));
  for (char** inherited = environ; *inherited != nullptr; ++inherited) {
    if (std::string_view(*inherited).substr(0, 7) != "GANTRY_") variables.push_back(*inherited);
  }
  variables.push_back(nullptr);
  pid_t pid = -1;
  const int failed = posix_spawnp(&pid, arguments[0], &files, nullptr, arguments.data(), variables.data());
  if (failed != 0) throw std::runtime_error("cannot run " + words[0] + ": " + std::strerror(failed));
  return pid;
}

}  // namespace

json::value Ran::json() const {
  auto parsed = json::parse(out);
  EXPECT_TRUE(parsed) << "not JSON: " << out << "\n" << err;
  return parsed ? *parsed : json::value(nullptr);
}

Ran run_program(const std::vector<std::string>& words, const std::string& input,
                const std::vector<std::string>& environment) {
  const support::ScratchDirectory scratch;
  const fs::path base(scratch.path());
  std::ofstream(base / "in") << input;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, (base / "in").c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, (base / "out").c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&files, 2, (base / "err").c_str(), O_WRONLY | O_CREAT, 0600);
  const auto pid = spawn(words, environment, files);
  posix_spawn_file_actions_destroy(&files);
  int wait_status = 0;
  waitpid(pid, &wait_status, 0);
  Ran ran{status_of(wait_status), read_file(base / "out"), read_file(base / "err")};
  return ran;
}

Background::Background(const std::vector<std::string>& words, const std::string& log,
                       const std::vector<std::string>& environment) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_ = spawn(words, environment, files);
  posix_spawn_file_actions_destroy(&files);
}

Background::Background(Background&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}

Background& Background::operator=(Background&& other) noexcept {
  std::swap(pid_, other.pid_);
  return *this;
}

Background::~Background() {
  end(SIGKILL);
}

bool Background::running() {
  if (pid_ < 0) return false;
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

void Background::signal(int signal) const {
  if (pid_ >= 0) ::kill(pid_, signal);
}

int Background::end(int signal) {
  if (pid_ < 0) return -1;
  ::kill(pid_, signal);
  return wait();
}

int Background::wait() {
  if (pid_ < 0) return -1;
  int wait_status = 0;
  waitpid(std::exchange(pid_, -1), &wait_status, 0);
  return status_of(wait_status);
}

void Background::follow(pid_t child) {
  wait();
  pid_ = child;
}

bool eventually(const std::function<bool()>& holds, std::chrono::milliseconds within) {
  const auto until = std::chrono::steady_clock::now() + within;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

RunningGantry::RunningGantry() : scratch_(trusted_parent(), ""), directory_(scratch_.path()) {
  fs::create_directory(drivers());
  for (const auto& built : fs::directory_iterator(GANTRY_BUILT_DRIVERS)) {
    fs::copy_file(built.path(), drivers() / built.path().filename());
    fs::permissions(drivers() / built.path().filename(), fs::perms(0644));
  }
}

RunningGantry::~RunningGantry() {
  end_simulation();
  daemon_.end(SIGKILL);
  if (::testing::Test::HasFailure()) std::cerr << "---- gantryd's log\n" << log() << "----\n";
}

std::string RunningGantry::log() const {
  return read_file(directory_ / "gantryd.log");
}

void RunningGantry::configure(const std::string& scheduler_driver, const std::string& more) {
  std::ofstream file(config_file());
  file << "scheduler_driver = " << scheduler_driver << "\n"
       << "driver_directories = [\"" << drivers().string() << "\"]\n"
       << "server.socket = \"" << socket_path() << "\"\n"
       << "store.path = \"" << store_path() << "\"\n"
       << more;
}

void RunningGantry::launch(const std::vector<std::string>& environment) {
  daemon_ = Background({std::string(GANTRY_BIN_DIRECTORY) + "/gantryd", "--config", config_file()},
                       (directory_ / "gantryd.log").string(), environment);
}

void RunningGantry::start() {
  launch();
  ASSERT_TRUE(eventually([this] { return !daemon_.running() || gantry({"status"}).exit_status == 0; }));
  ASSERT_TRUE(daemon_.running()) << "gantryd ended at once:\n" << log();
}

Ran RunningGantry::start_refused() {
  return run_program({"timeout", "20", std::string(GANTRY_BIN_DIRECTORY) + "/gantryd", "--config", config_file()});
}

int RunningGantry::stop() {
  return daemon_.end(SIGTERM);
}

void RunningGantry::signal(int signal) const {
  daemon_.signal(signal);
}

int RunningGantry::kill() {
  return daemon_.end(SIGKILL);
}

Ran RunningGantry::restart(const std::vector<std::string>& options) {
  // The successor becomes a child of this process when its parent ends.
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  std::vector<std::string> words{"restart", "--wait"};
  words.insert(words.end(), options.begin(), options.end());
  auto ran = gantry(words);
  const auto serving = static_cast<pid_t>(ask({"status"}).at("pid").to_number<int>());
  if (serving != daemon_.pid()) daemon_.follow(serving);
  return ran;
}

int RunningGantry::end() {
  EXPECT_TRUE(eventually([this] { return !daemon_.running(); }));
  return daemon_.end(SIGKILL);
}

Ran RunningGantry::gantry(std::vector<std::string> words, const std::string& input) const {
  words.insert(words.begin(), {std::string(GANTRY_BIN_DIRECTORY) + "/gantry", "--url", url()});
  return run_program(words, input);
}

json::value RunningGantry::ask(std::vector<std::string> words) const {
  words.insert(words.end(), {"-o", "json"});
  const auto ran = gantry(words);
  EXPECT_EQ(ran.exit_status, 0) << ran.out << ran.err;
  return ran.exit_status == 0 ? ran.json() : json::value(nullptr);
}

json::array RunningGantry::list(std::vector<std::string> words) const {
  const auto answer = ask(std::move(words));
  EXPECT_TRUE(answer.is_array()) << json::write(answer);
  return answer.is_array() ? answer.get_array() : json::array();
}

void RunningGantry::simulate(const std::string& fleet_toml) {
  const auto file = directory_ / "fleet.toml";
  std::ofstream(file) << fleet_toml;
  fleet_ =
      Background({std::string(GANTRY_BIN_DIRECTORY) + "/gantry", "--url", url(), "agent", "--simulate", file.string()},
                 (directory_ / "fleet.log").string());
}

void RunningGantry::end_simulation() {
  fleet_.end(SIGTERM);
}

}  // namespace gantry::test
