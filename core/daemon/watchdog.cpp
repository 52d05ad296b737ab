// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/watchdog.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <future>
#include <string>
#include <utility>

#include "core/daemon/readiness.hpp"

namespace gantry::daemon {

namespace {

// A commit may take this long on a busy disk. A shorter watchdog waits a quarter of its time.
constexpr std::chrono::seconds longest_look{2};

long long number_of(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr) return 0;
  const std::string text(value);
  long long number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() ? number : 0;
}

std::chrono::microseconds wanted_interval() {
  const auto process = number_of("WATCHDOG_PID");
  if (process != 0 && process != getpid()) return {};
  return std::chrono::microseconds(std::max(0LL, number_of("WATCHDOG_USEC")) / 2);
}

}  // namespace

Watchdog::Watchdog(transport::HttpServer& server, store::Store& store, std::shared_ptr<telemetry::Logger> logger)
    : server_(server), store_(store), logger_(std::move(logger)), interval_(wanted_interval()), due_(Clock::now()) {}

// An empty batch is answered in its turn and costs no commit.
bool Watchdog::store_answers() const {
  const auto answered = std::make_shared<std::promise<void>>();
  auto answer = answered->get_future();
  store_.submit({}, [answered](const Result<void>& /*stored*/) { answered->set_value(); });
  const auto patience = std::min<std::chrono::microseconds>(longest_look, interval_ / 2);
  return answer.wait_for(patience) == std::future_status::ready;
}

void Watchdog::beat() {
  if (!is_due()) return;
  const auto patience = std::min<std::chrono::microseconds>(longest_look, interval_ / 2);
  const bool server_works = server_.works(std::chrono::duration_cast<std::chrono::milliseconds>(patience));
  if (server_works && store_answers()) {
    has_warned_ = false;
    return beat_unseen();
  }
  if (!std::exchange(has_warned_, true))
    logger_->write(
        telemetry::Level::error, "the watchdog is not told that the service is alive",
        {{"reason", server_works ? "the store's thread does not answer" : "the server's threads do not answer"}});
}

void Watchdog::beat_unseen() {
  if (!is_due()) return;
  due_ = Clock::now() + interval_;
  notify_service_manager("WATCHDOG=1\n");
}

}  // namespace gantry::daemon
