// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/connection_set.hpp"

#include <utility>

namespace gantry::transport {

bool ConnectionSet::add(std::shared_ptr<Connection> connection) {
  const std::shared_lock gate(gate_);
  if (closed_) return false;
  const std::lock_guard lock(mutex_);
  const Connection* const key = connection.get();
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
