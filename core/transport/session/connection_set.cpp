// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/connection_set.hpp"

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

void ConnectionSet::deliver(const std::weak_ptr<Connection>& connection, std::uint64_t slot,
                            scheduling::Answer answer) {
  const std::shared_lock lock(gate_);
  if (closed_) return;
  if (const auto alive = connection.lock()) alive->deliver(slot, std::move(answer));
}

bool ConnectionSet::take_place(std::uint32_t most) {
  if (waiting_.fetch_add(1, std::memory_order_relaxed) < most) return true;
  leave_place();
  return false;
}

bool ConnectionSet::take_room(Bounded what, std::uint64_t amount, std::uint64_t most) {
  if (taken(what).fetch_add(amount, std::memory_order_relaxed) + amount <= most) return true;
  leave_room(what, amount);
  return false;
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

Room::Room(std::shared_ptr<ConnectionSet> connections, Bounded what, std::uint64_t amount, std::uint64_t most)
    : connections_(std::move(connections)),
      what_(what),
      amount_(connections_->take_room(what, amount, most) ? amount : 0) {}

Room::~Room() {
  if (amount_ > 0) connections_->leave_room(what_, amount_);
}

Room& Room::operator=(Room&& other) noexcept {
  if (this == &other) return *this;
  if (amount_ > 0) connections_->leave_room(what_, amount_);
  connections_ = std::move(other.connections_);
  what_ = other.what_;
  amount_ = std::exchange(other.amount_, 0);
  return *this;
}

bool PendingAnswer::take_place(std::uint32_t most) {
  has_place_ = connections_->take_place(most);
  return has_place_;
}

PendingAnswer::~PendingAnswer() {
  if (given_.load()) return;
  give(Error{ErrorCode::internal, "the method ended without an answer; this is a fault of Gantry's, please report it",
             ""});
}

void PendingAnswer::give(scheduling::Answer answer) {
  if (given_.exchange(true)) return;
  if (has_place_) connections_->leave_place();
  connections_->deliver(connection_, slot_, std::move(answer));
}

}  // namespace gantry::transport
