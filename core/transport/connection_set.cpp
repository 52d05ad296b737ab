// SPDX-License-Identifier: Apache-2.0
#include "core/transport/connection_set.hpp"

namespace gantry::transport {

bool ConnectionSet::add(std::shared_ptr<Connection> connection) {
  const std::shared_lock gate(gate_);
  if (closed_) return false;
  const std::lock_guard lock(mutex_);
  const Connection* key = connection.get();
  connections_.emplace(key, std::move(connection));
  return true;
}

void ConnectionSet::remove(const Connection* connection) {
  const std::lock_guard lock(mutex_);
  connections_.erase(connection);
  if (connections_.empty()) emptied_.notify_all();
}

void ConnectionSet::deliver(const std::weak_ptr<Connection>& connection, std::uint64_t slot, scheduling::Reply reply) {
  const std::shared_lock lock(gate_);
  if (closed_) return;
  if (const auto alive = connection.lock()) alive->deliver(slot, std::move(reply));
}

std::vector<std::shared_ptr<Connection>> ConnectionSet::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Connection>> all;
  all.reserve(connections_.size());
  for (const auto& [key, connection] : connections_) all.push_back(connection);
  return all;
}

void ConnectionSet::drain() {
  for (const auto& connection : all()) connection->drain();
}

bool ConnectionSet::wait_until_empty(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return emptied_.wait_until(lock, deadline, [this] { return connections_.empty(); });
}

void ConnectionSet::close() {
  {
    const std::unique_lock lock(gate_);
    closed_ = true;
  }
  const auto left = all();
  for (const auto& connection : left) connection->abandon();
  const std::lock_guard lock(mutex_);
  connections_.clear();
}

PendingAnswer::~PendingAnswer() {
  if (given_.load()) return;
  give(Error{ErrorCode::internal, "the method ended without an answer; this is a fault of Gantry's, please report it",
             ""});
}

void PendingAnswer::give(scheduling::Reply reply) {
  if (!given_.exchange(true)) connections_->deliver(connection_, slot_, std::move(reply));
}

}  // namespace gantry::transport
