// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/seats.hpp"

#include <algorithm>
#include <utility>

#include "core/transport/session/connection_set.hpp"

namespace gantry::transport {

Seats::Seat::Seat(std::shared_ptr<Seats> seats, std::string source)
    : seats_(std::move(seats)), source_(std::move(source)) {}

void Seats::Seat::belong_to(std::weak_ptr<Connection> connection) {
  const std::lock_guard lock(seats_->mutex_);
  connection_ = std::move(connection);
}

void Seats::Seat::prove() {
  if (std::exchange(is_proven_, true)) return;
  const std::lock_guard lock(seats_->mutex_);
  if (state_ != State::strange) return;
  seats_->forget_stranger(*this);
  state_ = State::proven;
}

void Seats::Seat::note_answer() {
  if (is_proven_) return;
  const std::lock_guard lock(seats_->mutex_);
  if (state_ != State::strange) return;
  auto& all = seats_->strangers_;
  all.answered.splice(all.answered.end(), all.list_of(*this), place_);
  auto& of_source = seats_->of_sources_.find(source_)->second;
  of_source.answered.splice(of_source.answered.end(), of_source.list_of(*this), place_at_source_);
  had_answer_ = true;
}

Seats::Bounds Seats::bounds_for(std::uint32_t connections) {
  const std::uint32_t quarter = connections / 4;
  constexpr std::uint32_t few = 16;
  return {connections, connections - quarter, std::max(quarter, std::min(connections, few))};
}

std::unique_ptr<Seats::Seat> Seats::seat(std::string source) {
  std::shared_ptr<Connection> closed;
  std::unique_ptr<Seat> made;
  {
    const std::lock_guard lock(mutex_);
    const auto known = source.empty() ? of_sources_.end() : of_sources_.find(source);
    if (known != of_sources_.end() && known->second.size() >= bounds_.strangers_of_a_source) {
      closed = take_away(known->second.first());
    } else if (strangers_.size() != 0 && (taken_ >= bounds_.connections || strangers_.size() >= bounds_.strangers)) {
      closed = take_away(strangers_.first());
    }
    if (taken_ < bounds_.connections) {
      made = std::make_unique<Seat>(shared_from_this(), std::move(source));
      ++taken_;
      made->place_ = strangers_.unanswered.insert(strangers_.unanswered.end(), made.get());
      auto& of_source = of_sources_[made->source_].unanswered;
      made->place_at_source_ = of_source.insert(of_source.end(), made.get());
    }
  }
  if (closed) closed->abandon();
  return made;
}

std::uint64_t Seats::taken() const {
  const std::lock_guard lock(mutex_);
  return taken_;
}

void Seats::leave(Seat& seat) {
  const std::lock_guard lock(mutex_);
  if (seat.state_ == Seat::State::taken_away) return;
  if (seat.state_ == Seat::State::strange) forget_stranger(seat);
  --taken_;
}

void Seats::forget_stranger(Seat& seat) {
  strangers_.list_of(seat).erase(seat.place_);
  const auto source = of_sources_.find(seat.source_);
  source->second.list_of(seat).erase(seat.place_at_source_);
  if (source->second.size() == 0) of_sources_.erase(source);
}

std::shared_ptr<Connection> Seats::take_away(Seat& seat) {
  forget_stranger(seat);
  seat.state_ = Seat::State::taken_away;
  --taken_;
  return seat.connection_.lock();
}

}  // namespace gantry::transport
