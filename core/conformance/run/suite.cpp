// SPDX-License-Identifier: Apache-2.0
#include "core/conformance/run/suite.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <memory>
#include <thread>

#include "core/encoding/json.hpp"
#include "core/files/descriptor.hpp"
#include "core/files/errno_text.hpp"

extern char** environ;

namespace gantry::conformance {
namespace {

using Clock = std::chrono::steady_clock;

// The process of one rule.
struct Child {
  std::size_t place = 0;  // index of its outcome
  pid_t number = -1;
  files::Descriptor answer;
  std::string text;
  Clock::time_point begin;
};

Error cannot_start() {
  return {ErrorCode::unavailable, "a process for a rule cannot be started: " + files::errno_text(errno), {}};
}

Result<Child> start(const Settings& settings, const Rule& rule, std::size_t place) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return cannot_start();
  Child child;
  child.place = place;
  child.answer = files::Descriptor(ends[0]);
  const files::Descriptor write(ends[1]);
  // A file in memory, whose size tells whether the driver prints.
  const files::Descriptor printed(::memfd_create("printed", MFD_CLOEXEC));
  std::vector<std::string> words = {
      "gantry", "driver", "judge-rule", settings.file, std::string(rule.id), std::to_string(settings.seed)};
  for (const std::string& option : settings.options) words.push_back("--option=" + option);
  std::vector<char*> raw;
  raw.reserve(words.size() + 1);
  for (std::string& word : words) raw.push_back(word.data());
  raw.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, printed.number(), 1);
  ::posix_spawn_file_actions_adddup2(&actions, printed.number(), 2);
  ::posix_spawn_file_actions_adddup2(&actions, write.number(), 3);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int failure = ::posix_spawn(&child.number, "/proc/self/exe", &actions, &attributes, raw.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (failure != 0) {
    errno = failure;
    return cannot_start();
  }
  child.begin = Clock::now();
  return child;
}

std::string signal_text(int number) {
  const char* const name = ::sigabbrev_np(number);
  return "signal " + std::to_string(number) + (name == nullptr ? "" : std::string(" (SIG") + name + ")");
}

Verdict verdict_of(const Child& child, int status, bool in_time, std::chrono::milliseconds limit) {
  const char* const expected = "a driver that returns";
  if (!in_time) return failed(expected, "no end after " + std::to_string(limit.count() / 1000) + " s");
  if (WIFSIGNALED(status)) return failed(expected, "a crash by " + signal_text(WTERMSIG(status)));
  const auto parsed = json::parse_object(child.text);
  if (!parsed) return failed(expected, "an exit of the process with status " + std::to_string(WEXITSTATUS(status)));
  const std::string state(json::find_string(*parsed, "state").value_or("failed"));
  Verdict verdict;
  verdict.state = state == "passed" ? State::passed : state == "failed" ? State::failed : State::not_applicable;
  verdict.expected = json::find_string(*parsed, "expected").value_or("");
  verdict.found = json::find_string(*parsed, "found").value_or("");
  return verdict;
}

// Reads what there is. Returns false at the end of the answer.
bool read_some(Child& child) {
  std::array<char, 4096> buffer{};
  const ssize_t count = ::read(child.answer.number(), buffer.data(), buffer.size());
  if (count <= 0) return false;
  child.text.append(buffer.data(), static_cast<std::size_t>(count));
  return child.text.size() < 65536;
}

void end(Child& child, const Settings& settings, std::vector<Outcome>& outcomes, bool in_time) {
  // The process exits at once after its answer. A driver that holds the pipe open does not hold the run up.
  int status = 0;
  for (int wait = 0; in_time && ::waitpid(child.number, &status, WNOHANG) == 0; ++wait) {
    if (wait == 500) in_time = !child.text.empty();
    ::usleep(2000);
    if (wait == 500) break;
  }
  ::kill(-child.number, SIGKILL);
  ::kill(child.number, SIGKILL);
  int killed = 0;
  if (::waitpid(child.number, &killed, 0) == child.number && child.text.empty()) status = killed;
  Outcome& outcome = outcomes[child.place];
  outcome.verdict = verdict_of(child, status, in_time, settings.limit);
  outcome.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - child.begin);
}

// Runs the rules of the outcomes from `next` up to `last`, some at a time.
Result<void> run_range(const Settings& settings, std::vector<Outcome>& outcomes, std::size_t next, std::size_t last) {
  const std::size_t most = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Child> running;
  for (std::size_t ended = next; ended < last;) {
    while (running.size() < most && next < last) {
      auto child = start(settings, *outcomes[next].rule, next);
      if (!child) {
        for (Child& other : running) end(other, settings, outcomes, false);
        return std::move(child).error();
      }
      running.push_back(*std::move(child));
      ++next;
    }
    std::vector<pollfd> wanted;
    wanted.reserve(running.size());
    for (const Child& child : running) wanted.push_back({child.answer.number(), POLLIN, 0});
    ::poll(wanted.data(), wanted.size(), 100);
    for (std::size_t at = running.size(); at-- > 0;) {
      const bool in_time = Clock::now() - running[at].begin < settings.limit;
      if (in_time && (wanted[at].revents == 0 || read_some(running[at]))) continue;
      end(running[at], settings, outcomes, in_time);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
      ++ended;
      if (settings.progress) settings.progress(ended, outcomes.size());
    }
  }
  return {};
}

}  // namespace

Result<std::vector<Outcome>> run_rules(const Settings& settings) {
  std::vector<Outcome> outcomes;
  std::size_t instances_from = 0;
  for (const Rule* rule : settings.chosen) {
    const auto exempt = settings.exemptions.find(std::string(rule->id));
    outcomes.push_back({.rule = rule,
                        .verdict = {},
                        .exemption = exempt == settings.exemptions.end() ? "" : exempt->second,
                        .seed = settings.seed});
    if (rule->id == rule_of_create) instances_from = outcomes.size();
  }
  if (auto ran = run_range(settings, outcomes, 0, instances_from); !ran) return std::move(ran).error();
  if (instances_from != 0 && outcomes[instances_from - 1].verdict.state == State::failed) {
    for (std::size_t at = instances_from; at < outcomes.size(); ++at)
      outcomes[at].verdict = not_applicable("create fails");
    if (settings.progress) settings.progress(outcomes.size(), outcomes.size());
    return outcomes;
  }
  if (auto ran = run_range(settings, outcomes, instances_from, outcomes.size()); !ran) return std::move(ran).error();
  return outcomes;
}

std::optional<Grade> grade_of(const std::vector<Outcome>& outcomes) {
  std::optional<Grade> grade;
  if (outcomes.size() < rules().size()) return grade;
  for (const Grade each : {Grade::bronze, Grade::silver, Grade::gold}) {
    const bool holds = std::ranges::none_of(
        outcomes, [&](const Outcome& outcome) { return outcome.rule->grade == each && outcome.fails(); });
    if (!holds) return grade;
    grade = each;
  }
  return grade;
}

}  // namespace gantry::conformance
