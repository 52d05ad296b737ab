// SPDX-License-Identifier: Apache-2.0
#include "tests/nova/serve/conductor.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>
#include <utility>

namespace gantry::nova {

namespace {

// Reads a line without its end. Empty: there is none.
std::string line_of(std::FILE* file) {
  std::string line;
  for (int byte = std::fgetc(file); byte != EOF && byte != '\n'; byte = std::fgetc(file))
    line += static_cast<char>(byte);
  return line;
}

}  // namespace

Conductor::Conductor(const std::vector<std::string>& words) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  std::vector<const char*> arguments{"/usr/bin/python3", "-B"};
  for (const auto& word : words) arguments.push_back(word.c_str());
  arguments.push_back(nullptr);
  process_ = fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves no process behind
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    execv(arguments[0], const_cast<char* const*>(arguments.data()));
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  requests_ = fdopen(in[1], "w");
  answers_ = fdopen(out[0], "r");
  is_installed_ = line_of(answers_) == "ready";
  reader_ = std::thread([this] { read_answers(); });
}

Conductor::~Conductor() {
  std::fclose(requests_);
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  reader_.join();
  std::fclose(answers_);
}

std::future<Heard> Conductor::call(json::object request) {
  const std::lock_guard lock(mutex_);
  request["id"] = ++last_;
  auto heard = waiting_[last_].get_future();
  const auto line = json::write(request) + "\n";
  if (std::fwrite(line.data(), 1, line.size(), requests_) != line.size() || std::fflush(requests_) != 0)
    throw std::runtime_error("the conductor is gone");
  return heard;
}

void Conductor::read_answers() {
  for (auto line = line_of(answers_); !line.empty(); line = line_of(answers_)) {
    auto answer = json::parse_object(line);
    if (!answer) throw std::runtime_error("the conductor said: " + line);
    const std::lock_guard lock(mutex_);
    auto waiting = waiting_.extract(json::find_integer(*answer, "id").value_or(0));
    if (!waiting.empty()) waiting.mapped().set_value(*std::move(answer));
  }
  const std::lock_guard lock(mutex_);
  waiting_.clear();  // ends the waits for answers that cannot come
}

}  // namespace gantry::nova
