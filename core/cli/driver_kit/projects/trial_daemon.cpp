// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/projects/trial_daemon.hpp"

#include <csignal>

#include "core/files/installation.hpp"

namespace gantry::cli {

namespace {

constexpr std::chrono::hours longest_life{24 * 365};
constexpr std::chrono::seconds end_wait{10};
constexpr std::size_t shown_bytes = 65536;  // a sanitizer's report is long

}  // namespace

TrialDaemon::TrialDaemon(std::vector<std::string> arguments, std::map<std::string, std::string> environment)
    : waiter_([this, request = agent::ChildRequest{.program = files::companion_program("gantryd").string(),
                                                   .arguments = std::move(arguments),
                                                   .environment = std::move(environment),
                                                   .timeout = longest_life,
                                                   .most_output = shown_bytes,
                                                   .end_signal = SIGTERM,
                                                   .parent_signal = SIGTERM,
                                                   .end_wait = end_wait}](const std::stop_token& stop) {
        result_ = agent::run_child(request, stop);
        if (*result_ && (*result_)->left_behind != 0) ::kill(-(*result_)->left_behind, SIGKILL);
        ended_ = true;
      }) {}

TrialDaemon::~TrialDaemon() {
  waiter_.request_stop();
  waiter_.join();
}

std::string TrialDaemon::end() const {
  if (!*result_) return result_->error().message;
  const agent::ChildResult& ended = **result_;
  return "gantryd has ended: " + ended.how_it_ended(longest_life) + "\n" + ended.output + ended.errors;
}

}  // namespace gantry::cli
