// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/connection_set.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace gantry::transport {

bool ConnectionSet::add(std::shared_ptr<Connection> connection) {
  const std::shared_lock gate(gate_);
  if (closed_) return false;
  const std::lock_guard lock(mutex_);
  const Connection* const key = connection.get();
  if (holding_) connection->hold();
  connections_.emplace(key, std::move(connection));
  return true;
}

void ConnectionSet::remove(const Connection* connection) {
  const std::lock_guard lock(mutex_);
  connections_.erase(connection);
  if (connections_.empty()) emptied_.notify_all();
}

bool ConnectionSet::replace(const Connection* connection, const std::shared_ptr<Connection>& successor) {
  const std::shared_lock gate(gate_);
  if (closed_) return false;
  const std::lock_guard lock(mutex_);
  connections_.erase(connection);
  const Connection* const key = successor.get();
  connections_.emplace(key, successor);
  if (draining_) successor->drain();
  if (holding_) successor->hold();
  return true;
}

void ConnectionSet::deliver(const std::weak_ptr<Connection>& connection, std::uint64_t slot, Outcome outcome) {
  const std::shared_lock gate(gate_);
  if (closed_) return;
  if (const auto alive = connection.lock()) alive->deliver(slot, std::move(outcome));
}

void ConnectionSet::drain() {
  const std::lock_guard lock(mutex_);
  draining_ = true;
  for (const auto& [key, connection] : connections_) connection->drain();
}

bool ConnectionSet::wait_until_empty(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return emptied_.wait_until(lock, deadline, [this] { return connections_.empty(); });
}

void ConnectionSet::hold() {
  const std::lock_guard lock(mutex_);
  holding_ = true;
  for (const auto& [key, connection] : connections_) connection->hold();
}

void ConnectionSet::release() {
  const std::lock_guard lock(mutex_);
  holding_ = false;
  for (const auto& [key, connection] : connections_) connection->release();
}

std::size_t ConnectionSet::count(Connection::Held held) {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(connections_, [held](const auto& each) { return each.second->held() == held; }));
}

bool ConnectionSet::wait_until_held(std::chrono::steady_clock::time_point deadline) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds interval{1};
  constexpr std::chrono::milliseconds patience{10};  // a request's bytes follow each other closely, or take long
  while (count(Connection::Held::not_yet) > 0) {
    if (Clock::now() > deadline) return false;
    std::this_thread::sleep_for(interval);
  }
  for (const auto end = Clock::now() + patience; count(Connection::Held::arriving) > 0 && Clock::now() < end;)
    std::this_thread::sleep_for(interval);
  for (auto due = Clock::now(); count(Connection::Held::arriving) + count(Connection::Held::not_yet) > 0;) {
    if (Clock::now() > deadline) return false;
    if (Clock::now() >= due) {
      const std::lock_guard lock(mutex_);
      for (const auto& [key, connection] : connections_) connection->hold_now();
      due = Clock::now() + patience;
    }
    std::this_thread::sleep_for(interval);
  }
  return true;
}

std::vector<HandedConnection> ConnectionSet::handed() {
  const std::lock_guard lock(mutex_);
  std::vector<HandedConnection> found;
  for (const auto& [key, connection] : connections_) {
    if (auto one = connection->handed()) found.push_back(*std::move(one));
  }
  return found;
}

void ConnectionSet::close() {
  {
    const std::unique_lock gate(gate_);
    closed_ = true;
  }
  const std::lock_guard lock(mutex_);
  for (const auto& [key, connection] : connections_) connection->abandon();
  connections_.clear();
}

}  // namespace gantry::transport
