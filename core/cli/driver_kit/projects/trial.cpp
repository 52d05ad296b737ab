// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/projects/trial.hpp"

#include <filesystem>
#include <ostream>

#include "core/cli/agent/stop_signal.hpp"
#include "core/cli/driver_kit/replaced_file.hpp"
#include "core/cli/terminal/exit_code.hpp"
#include "core/cli/terminal/output.hpp"
#include "core/config/sources/tree.hpp"

namespace gantry::cli {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds longest_step = 120s;
constexpr std::chrono::milliseconds longest_start = 60s;
constexpr std::chrono::milliseconds longest_end = 10s;  // a crash report is written meanwhile
constexpr std::chrono::milliseconds interval = 20ms;

// The file of a sanitizer's runtime, which a program without a sanitizer has to load first.
std::string sanitizer_runtime(const std::string& sanitizer) {
  if (sanitizer != "address") return "";
  const auto found = agent::run_child({.program = "cc", .arguments = {"-print-file-name=libasan.so"}});
  return found && found->succeeded() ? agent::last_line(found->output) : "";
}

Error refused(const agent::ChildResult& ended) {
  std::string text = ended.errors;
  for (std::size_t at = text.find("gantry: "); at != std::string::npos; at = text.find("gantry: ", at))
    text.erase(at, 8);
  return {ErrorCode::invalid_configuration, text, ""};
}

}  // namespace

Result<int> Trial::run(const drivers::DriverFile& file) {
  if (auto taken = place_.take(session_, file, wishes_.policy); !taken) return std::move(taken).error();
  if (!wishes_.fleet.empty()) {
    const auto text = content_of(wishes_.fleet);
    if (!text) return text.error();
    if (!*text)
      return Error{ErrorCode::not_found, wishes_.fleet + ": expected a simulation file, found none of that name", ""};
    if (auto copied = replace_file(place_.path("fleet.toml"), **text, 0600); !copied) return std::move(copied).error();
  }
  if (auto good = check(); !good) return std::move(good).error();
  if (auto started = start(); !started) return std::move(started).error();
  if (auto reported = report(); !reported) return std::move(reported).error();
  return request(file);
}

// Tries the configuration and the driver out in a process of its own: the daemon of before goes on if they are refused.
Result<void> Trial::check() {
  std::vector<std::string> words{"--config", place_.path("gantry.toml")};
  for (const std::string& setting : daemon_settings()) words.insert(words.end(), {"--set", setting});
  words.insert(words.end(), {"config", "check"});
  const auto ended = gantry(std::move(words));
  if (!ended) return ended.error();
  if (ended->exit_status != 0 || ended->signal != 0) return refused(*ended);
  if (!session_.quiet()) session_.err() << ended->errors << std::flush;  // warnings
  return {};
}

Result<void> Trial::start() {
  daemon_.reset();
  std::vector<std::string> arguments{"--config", place_.path("gantry.toml")};
  for (const std::string& setting : daemon_settings()) arguments.insert(arguments.end(), {"--set", setting});
  daemon_ = std::make_unique<TrialDaemon>(std::move(arguments), environment());
  for (std::chrono::milliseconds waited(0); waited < longest_start; waited += interval) {
    if (answers()) return {};
    if (daemon_->has_ended()) return Error{ErrorCode::failed_precondition, lost_daemon(), ""};
    if (!agent::pause_for(stop_, interval)) return Error{ErrorCode::failed_precondition, "stopped", ""};
  }
  return Error{ErrorCode::deadline_exceeded, "gantryd does not answer after a minute; is the driver's create slow?",
               ""};
}

Result<void> Trial::report() {
  const auto ended = gantry({"--url", place_.url(), "-q", "agent", "--simulate", place_.path("fleet.toml"), "--once"});
  if (!ended) return ended.error();
  if (ended->succeeded()) return {};
  return Error{ErrorCode::failed_precondition, "the fleet cannot report: " + ended->errors, ""};
}

Result<int> Trial::request(const drivers::DriverFile& file) {
  std::vector<std::string> words{"--url", place_.url()};
  if (session_.format() == OutputFormat::json) words.insert(words.end(), {"-o", "json"});
  words.insert(words.end(), {"select", "--explain"});
  if (!wishes_.request.empty()) {
    words.insert(words.end(), {"--request", wishes_.request});
  } else if (trial_topic(file) != "compute") {
    const auto& methods = file.manifest.methods;
    const std::string method = methods.empty() ? "METHOD" : methods.begin()->second.front();
    print_notice(session_, "loaded; call it: gantry --url " + place_.url() + " schedule " + trial_topic(file) + " " +
                               method + " KEY=VALUE...");
    return 0;
  } else {
    words.insert(words.end(), {"--vcpus", "1", "--memory-mb", "512", "--disk-gb", "1"});
  }
  const auto ended = gantry(std::move(words));
  if (!ended) return ended.error();
  if (ended->exit_status == exit_code::unreachable && has_lost_daemon())
    return Error{ErrorCode::internal, lost_daemon(), ""};
  session_.out() << ended->output << std::flush;
  session_.err() << ended->errors << std::flush;
  return ended->signal != 0 ? 1 : ended->exit_status;
}

bool Trial::has_lost_daemon() const {
  for (std::chrono::milliseconds waited(0); waited < longest_end && !daemon_->has_ended(); waited += interval)
    agent::pause_for(stop_, interval);
  return daemon_->has_ended();
}

std::string Trial::lost_daemon() {
  if (daemon_ == nullptr || !daemon_->has_ended()) return "";
  std::string end = daemon_->end();
  daemon_.reset();
  return end;
}

Result<agent::ChildResult> Trial::gantry(std::vector<std::string> words) const {
  return agent::run_child({.program = "/proc/self/exe",
                           .arguments = std::move(words),
                           .environment = environment(),
                           .timeout = longest_step,
                           .parent_signal = SIGTERM},
                          stop_);
}

bool Trial::answers() const {
  auto connection = session_.environment().connect({.url = place_.url(), .token_file = "", .ca_file = ""});
  return connection && (*connection)->call("status", {}, {.timeout = 1s, .context = {}, .request_id = ""});
}

// Above the user's environment, which may name another socket or store.
std::vector<std::string> Trial::daemon_settings() const {
  std::vector<std::string> settings{"server.socket=" + config::to_toml(place_.path("socket")),
                                    "store.path=" + config::to_toml(place_.path("store.db"))};
  for (const std::string& setting : session_.sources().overrides)
    if (!setting.starts_with("driver_directories")) settings.push_back(setting);
  return settings;
}

std::map<std::string, std::string> Trial::environment() const {
  std::map<std::string, std::string> variables;
  const std::string runtime = sanitizer_runtime(wishes_.sanitizer);
  if (!runtime.empty()) variables = {{"LD_PRELOAD", runtime}, {"ASAN_OPTIONS", "detect_leaks=0"}};
  return variables;
}

}  // namespace gantry::cli
