// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/signals.hpp"

#include <pthread.h>

#include <chrono>
#include <csignal>
#include <utility>

namespace gantry::daemon {

namespace {

sigset_t awaited_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

// Ends the process by the signal's default action.
void end_by(int signal) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  std::signal(signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  std::raise(signal);
}

}  // namespace

Signals::Signals() {
  const auto signals = awaited_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  thread_ = std::thread([this] { run(); });
}

Signals::~Signals() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  pthread_kill(thread_.native_handle(), SIGHUP);
  thread_.join();
}

void Signals::run() {
  const auto awaited = awaited_signals();
  for (int signal = 0; sigwait(&awaited, &signal) == 0;) {
    {
      const std::lock_guard lock(mutex_);
      if (ending_ && signal == SIGHUP) return;
    }
    take(signal);
  }
}

void Signals::take(int signal) {
  const std::lock_guard lock(mutex_);
  if (signal == SIGHUP) {
    hung_up_ = holds_ && !hang_up_;
    if (hang_up_) hang_up_();
    return;
  }
  if (!holds_ || stop_signal_ != 0) end_by(signal);
  stop_signal_ = signal;
  changed_.notify_all();
}

void Signals::hold() {
  const std::lock_guard lock(mutex_);
  holds_ = true;
}

int Signals::wait_for_stop(std::function<void()> hang_up, const std::function<bool()>& is_well) {
  std::unique_lock lock(mutex_);
  hang_up_ = std::move(hang_up);
  if (hung_up_) hang_up_();
  hung_up_ = false;
  while (!changed_.wait_for(lock, std::chrono::seconds(1), [this] { return stop_signal_ != 0 || woken_; })) {
    if (!is_well()) return unwell;
  }
  if (stop_signal_ != 0) return stop_signal_;
  woken_ = false;
  return woken;
}

void Signals::wake() {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  changed_.notify_all();
}

bool Signals::has_to_stop() const {
  const std::lock_guard lock(mutex_);
  return stop_signal_ != 0;
}

}  // namespace gantry::daemon
