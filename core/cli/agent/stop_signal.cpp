// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/stop_signal.hpp"

#include <condition_variable>
#include <csignal>
#include <mutex>

namespace gantry::cli::agent {

namespace {

sigset_t ending_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  return signals;
}

}  // namespace

StopSignal::StopSignal() {
  const sigset_t signals = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  waiter_ = std::jthread([this](const std::stop_token& over) {
    const sigset_t awaited = ending_signals();
    const timespec step{0, 100'000'000};
    while (!over.stop_requested())
      if (::sigtimedwait(&awaited, nullptr, &step) > 0) source_.request_stop();
  });
}

StopSignal::~StopSignal() {
  waiter_.request_stop();
  waiter_.join();
  const sigset_t signals = ending_signals();
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

bool pause_for(const std::stop_token& stop, std::chrono::milliseconds time) {
  std::mutex mutex;
  std::condition_variable_any changed;
  // cppcheck-suppress localMutex ; wait_for needs a mutex, and no other thread locks this one
  std::unique_lock lock(mutex);
  changed.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

}  // namespace gantry::cli::agent
