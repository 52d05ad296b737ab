// SPDX-License-Identifier: Apache-2.0
//
// A real gantryd with a store, a socket and drivers of its own, in a directory that goes with it; and the `gantry`
// command run against it as its user would.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::test {

struct Ran {
  int exit_status = -1;  // 128 + signal if one ended it
  std::string out;
  std::string err;

  json::value json() const;  // out, parsed; the test fails if it is not JSON
};

// Runs a program to its end; standard error apart.
Ran run_program(const std::vector<std::string>& words, const std::string& input = {},
                const std::vector<std::string>& environment = {});

// A program in the background; it is ended with the object.
class Background {
 public:
  Background() = default;
  Background(const std::vector<std::string>& words, const std::string& log,
             const std::vector<std::string>& environment = {});
  Background(Background&& other) noexcept;
  Background& operator=(Background&& other) noexcept;
  ~Background();
  bool running();
  pid_t pid() const { return pid_; }
  void signal(int signal) const;
  int end(int signal);  // sends it and waits; the exit status as in Ran
  int wait();
  // Waits for the process's end, and has this child in its place.
  void follow(pid_t child);

 private:
  pid_t pid_ = -1;
};

// Polls until it holds; false: it did not within the time.
bool eventually(const std::function<bool()>& holds, std::chrono::milliseconds within = std::chrono::seconds(60));

class RunningGantry {
 public:
  RunningGantry();
  ~RunningGantry();
  RunningGantry(const RunningGantry&) = delete;
  RunningGantry& operator=(const RunningGantry&) = delete;

  const std::filesystem::path& directory() const { return directory_; }
  std::filesystem::path drivers() const { return directory_ / "drivers"; }
  std::string socket_path() const { return (directory_ / "gantry.sock").string(); }
  std::string url() const { return "unix://" + socket_path(); }
  std::string store_path() const { return (directory_ / "gantry.db").string(); }
  std::string config_file() const { return (directory_ / "gantry.toml").string(); }
  std::string log() const;

  // Writes the config: the first line names the drivers (TOML), the rest of it is given.
  void configure(const std::string& scheduler_driver, const std::string& more = {});
  // Starts gantryd and does not wait. `environment`: NAME=VALUE, in front of what is inherited.
  void launch(const std::vector<std::string>& environment = {});
  bool is_running() { return daemon_.running(); }
  pid_t pid() const { return daemon_.pid(); }
  // Starts gantryd and waits until it serves; the test fails if it does not.
  void start();
  // Starts it where it should refuse: its exit status and words.
  Ran start_refused();
  int stop();  // SIGTERM
  int kill();  // SIGKILL; as stop, the exit status
  // Runs `gantry restart --wait`. The object then has the process that serves.
  Ran restart(const std::vector<std::string>& options = {});
  int end();  // waits until it has ended by itself, and ends it with SIGKILL if it does not
  void signal(int signal) const;

  Ran gantry(std::vector<std::string> words, const std::string& input = {}) const;
  // The same with -o json in front and its parsed answer; the test fails unless it exits with 0.
  json::value ask(std::vector<std::string> words) const;
  json::array list(std::vector<std::string> words) const;  // the same where the answer is a list
  // A fleet from a text in the format of `gantry agent --simulate`, running until the object ends.
  void simulate(const std::string& fleet_toml);
  void end_simulation();

 private:
  support::ScratchDirectory scratch_;
  std::filesystem::path directory_;
  Background daemon_;
  Background fleet_;
};

}  // namespace gantry::test
