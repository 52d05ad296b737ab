// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/parts.hpp"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace gantry::nova {

namespace {

// A part under way. Its thread and the one that waits share it.
class RunningPart {
 public:
  void put(Finding finding) {
    const std::lock_guard lock(mutex_);
    findings_.push_back(std::move(finding));
    changed_.notify_all();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    changed_.notify_all();
  }
  // Waits for the next finding. nullopt: the part has ended, or the deadline has come.
  std::optional<Finding> next(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, deadline, [this] { return has_ended_ || !findings_.empty(); });
    if (findings_.empty()) return std::nullopt;
    auto finding = std::move(findings_.front());
    findings_.pop_front();
    return finding;
  }
  bool has_ended() {
    const std::lock_guard lock(mutex_);
    return has_ended_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Finding> findings_;
  bool has_ended_ = false;
};

}  // namespace

bool run_parts(std::vector<Part> parts, std::chrono::steady_clock::time_point deadline, const SayFinding& say) {
  std::vector<std::pair<std::string, std::shared_ptr<RunningPart>>> running;
  for (auto& part : parts) {
    running.emplace_back(part.subject, std::make_shared<RunningPart>());
    // A library that waits for a server cannot be stopped from outside.
    std::thread([state = running.back().second, run = std::move(part.run)]() mutable {
      run(Report([&state](Finding finding) { state->put(std::move(finding)); }));
      run = nullptr;
      state->end();
    }).detach();
  }
  bool all_ended = true;
  for (const auto& [subject, state] : running) {
    while (auto finding = state->next(deadline)) say(*std::move(finding));
    if (state->has_ended()) continue;
    all_ended = false;
    say({subject, Level::failed, "expected an end in time, found that it still waits for an answer", ""});
  }
  return all_ended;
}

}  // namespace gantry::nova
