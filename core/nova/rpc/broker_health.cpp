// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/broker_health.hpp"

#include <utility>

#include "core/encoding/time.hpp"

namespace gantry::nova {

namespace {

constexpr std::size_t most_reasons = 20;

using telemetry::Level;
using WallClock = std::chrono::system_clock;

std::string text_of_time(WallClock::time_point time) {
  using std::chrono::seconds;
  const auto whole = std::chrono::duration_cast<seconds>(time.time_since_epoch());
  return exact_time_text(std::chrono::nanoseconds(whole).count());
}

}  // namespace

BrokerHealth::BrokerHealth(std::string purpose, std::shared_ptr<telemetry::Logger> logger,
                           std::shared_ptr<telemetry::Counters> counters)
    : purpose_(std::move(purpose)),
      logger_(std::move(logger)),
      counters_(std::move(counters)),
      away_(Trouble{WallClock::now(), "not connected yet"}) {}

void BrokerHealth::on_up(const std::string& broker) {
  const std::lock_guard lock(mutex_);
  broker_ = broker;
  away_.reset();
  reasons_.clear();
  counters_->add("nova_broker_connections", purpose_, 1);
  logger_->write(Level::info, "connected to the broker", {{"broker", broker}, {"for", purpose_}});
}

void BrokerHealth::on_down(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  blocked_.reset();
  broker_.clear();
  if (!away_) away_ = Trouble{WallClock::now(), ""};
  away_->reason = reason;
  if (reasons_.size() < most_reasons && reasons_.insert(reason).second)
    logger_->write(Level::warning, "the broker is away; it is tried again", {{"for", purpose_}, {"reason", reason}});
}

void BrokerHealth::on_blocked(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  blocked_ = Trouble{WallClock::now(), reason};
  counters_->add("nova_broker_blocked", purpose_, 1);
  logger_->write(Level::warning, "the broker takes no messages; they wait", {{"for", purpose_}, {"reason", reason}});
}

void BrokerHealth::on_unblocked() {
  const std::lock_guard lock(mutex_);
  blocked_.reset();
  logger_->write(Level::info, "the broker takes messages again", {{"for", purpose_}});
}

bool BrokerHealth::is_up() const {
  const std::lock_guard lock(mutex_);
  return !away_;
}

std::string BrokerHealth::broker() const {
  const std::lock_guard lock(mutex_);
  return broker_;
}

std::string BrokerHealth::trouble() const {
  const std::lock_guard lock(mutex_);
  if (away_) return "the broker is away since " + text_of_time(away_->since) + ": " + away_->reason;
  if (blocked_) return "the broker takes no messages since " + text_of_time(blocked_->since) + ": " + blocked_->reason;
  return "";
}

}  // namespace gantry::nova
